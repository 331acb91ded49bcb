"""Validates JSON against docs/schemas, by jsonschema: what validate.mjs does, but for the damages, of each 10th run.

    python3 validate.py SCHEMAS BATCH
"""
import json
import pathlib
import re
import sys

import jsonschema

folder, batch = sys.argv[1:]
validators = {}
for path in pathlib.Path(folder).glob("*.json"):
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[schema["title"]] = jsonschema.Draft202012Validator(schema)

failed = count = 0
text = pathlib.Path(batch).read_text(encoding="utf-8", errors="surrogateescape")
for run in re.split("(?m)^#(?=run |lines )", text)[1::10]:
    command, printed = run.split("\n", 1)
    words = command.split(" ")
    of = "proflog." + words[1] if words[0] == "lines" else None
    for part in re.split(r"(?m)^(?=\{)", printed):
        if not part.strip():
            continue
        item = json.loads(part)
        count += 1
        validator = validators[of or item["schema"]]
        error = next(validator.iter_errors(item), None)
        if error is None:
            item["planted"] = 1
            if validator.is_valid(item):
                print(f"{command}: an extra key is not noticed")
                failed = 1
        else:
            print(f"{command}: {jsonschema.exceptions.best_match([error]).message[:300]}")
            failed = 1
print(f"{count} objects")
sys.exit(failed)
