#!/bin/sh
# Whatever the log uses has a name, the one that it had at that time.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "names come late and go"
record alloc,clauses "$scenarios/names.scn"
check same=alloc,exception_clause,metadata_class,metadata_image,method_jit \
  "alloc:Node[]=3" alloc:Plugin.OldTool=4 alloc:Plugin.NewTool=3 alloc:System.String=2 \
  "frames:alloc:string:Concat (string,string)=1" "frames:alloc:Plugin.OldTool:Run ()=4" \
  "frames:alloc:Plugin.NewTool:Run ()=3" \
  "frames:alloc:Program.Node:First ()=1" "frames:alloc:Program.Node:Second ()=1" \
  "exception_clause:2/0 Plugin.OldTool:Run ()=1" "exception_clause:2/0 Plugin.NewTool:Run ()=1" \
  "exception_clause:1/3 string:Format (string,object)=1" \
  "method_jit:0x404000 200 string:Concat (string,string)=1" \
  "method_jit:0x414000 220 string:Concat (string,string)=1" \
  "method_jit:0x0 0 Program.Node:Work (int)=1" \
  "metadata_image:load /home/user/Žluťoučký kůň.dll=1" "metadata_class:load Грам.日本«ü»=1" \
  "metadata_class:load =1" "metadata_image:load dynamic=1" "metadata_class:load Program.Emitted=1"

begin "names of 100,000 bytes"
record alloc "$scenarios/long-names.scn"
long () {
  head -c 100000 /dev/zero | tr '\0' "$1"
}
check same=alloc,exception_throw,monitor,metadata_image,method_jit alloc=4 \
  "metadata_image:load $(long x)=1" "alloc:Long.$(long c)=2" "frames:alloc:$(long m)=4"
