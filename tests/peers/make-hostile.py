# make-hostile.py PROFLOG LOG HOSTILE -- a log whose names are hostile: as long as those that they replace.
#
# LOG is unpacked.  Names of Mono end with NUL and so cannot contain one; labels of eventlogs have their lengths.
import re
import subprocess
import sys

NAMES = [
    b'</title></script><script>document.title="owned"</script>',
    b'<img src=x onerror="document.title=\'owned\'">',
    b'=HYPERLINK("http://x.example/","y")',
    b'a;b c 12\n"quoted" \\\t\r\n999 999;',
    b'\xff\xfe\xc3( broken \xe2\x80',
    b'\xe2\x80\xae\xe2\x81\xa6 bidi \xe2\x80\x8b \xc2\x85',
    b"' onload='document.title=`owned`' ${1}",
    b']]>&amp;<!-- \x1b[31m\x07\x7f {"a":[1]}',
    b"@SUM(1+1)*cmd|' /C calc'!A0",
    b'-->*/"},]\'|pipe|`tick`[x](javascript:1)',
]
with open(sys.argv[2], 'rb') as file:
    log = file.read()
is_eventlog = log[:4] == b'hdrb'
names = [b'<b>\0"\n\xff=1;\x1b2\0'] + NAMES if is_eventlog else NAMES
dumped = subprocess.run([sys.argv[1], 'dump', '-q', sys.argv[2]], capture_output=True).stdout
found = sorted(set(re.findall(rb'(?:name|label|message)="([^"\\]{8,})"', dumped)), key=lambda n: (-len(n), n))
end = b'' if is_eventlog else b'\0'
for i, text in enumerate(found):
    name = names[i % len(names)]
    log = log.replace(text + end, (name + text[len(name):])[:len(text)] + end)
with open(sys.argv[3], 'wb') as file:
    file.write(log)
print(len(found))
