# trace-totals.py TRACE -- of a trace in Chrome's JSON: "KEY NUMBER NS" of calls and of runs of threads.
#
# Tracks of calls have the names of threads, those of runs the names of capabilities; all others are left out.  The
# time of nested slices is that of the outermost one.
import json
import re
import sys

OTHER = re.compile(r'^Collections, generation|(^|: )collections$|^Pauses$|(^|: )waits for locks$|^Heap snapshots$'
                   r'|^Marks$|(^|: )marks$|(^|: )messages$|: runs$')
names, depths, begun = {}, {}, {}
sums = {'calls': [0, 0], 'runs': [0, 0]}


def ns(event):
    return round(event['ts'] * 1000)


with open(sys.argv[1]) as file:
    events = json.load(file)['traceEvents']
for event in events:
    track = (event.get('pid'), event.get('tid'))
    if event['ph'] == 'M' and event['name'] == 'thread_name':
        names[track] = event['args']['name']
# Lanes of intervals are those of a thread, or have their name.
intervals = {track for track in names if re.search(r'(^|: )intervals( \([0-9]+\))?$', names[track])
             or any(e['ph'] == 'B' and (e['pid'], e.get('tid')) == track
                    and e['name'] == re.sub(r' \([0-9]+\)$', '', names[track]) for e in events)}
for event in events:
    track = (event.get('pid'), event.get('tid'))
    name = names.get(track, '')
    if event['ph'] not in 'BE' or OTHER.search(name) or track in intervals:
        continue
    key = sums['runs' if re.match(r'^(.*: )?Capability [0-9]+$', name) else 'calls']
    depth = depths.get(track, 0)
    if event['ph'] == 'B':
        key[0] += 1
        if depth == 0:
            begun[track] = ns(event)
        depths[track] = depth + 1
    else:
        depths[track] = depth - 1
        if depth == 1:
            key[1] += ns(event) - begun[track]
for key, (number, time) in sums.items():
    print(key, number, time)
