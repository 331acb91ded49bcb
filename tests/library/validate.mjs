// Validates JSON against docs/schemas, by ajv.
//
//   node validate.mjs AJV SCHEMAS BATCH
//
// AJV is the folder with ajv in its node_modules.  BATCH has, of each run, a line "#run COMMAND" and what the command
// printed: objects, of which each begins with { at the beginning of a line and states its schema; or "#lines NAME
// COMMAND" and objects of the schema proflog.NAME, a line each.  Prints
// what is not valid, and the numbers of objects and of schemas; then damages an object of each schema in each way
// that has to be noticed, and prints what is not.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'

const [folder, schemas, batch] = process.argv.slice(2)
const require = createRequire(folder + '/')
const Ajv = require('ajv/dist/2020').default
const ajv = new Ajv({ allErrors: false, allowUnionTypes: true })
const validators = new Map()
for (const file of readdirSync(schemas).filter(name => name.endsWith('.json'))) {
  const schema = JSON.parse(readFileSync(`${schemas}/${file}`, 'utf8'))
  const name = schema.title
  if (`${file.slice(0, -'.json'.length)}` !== name.replace('proflog.', '').replace('/', '-'))
    throw new Error(`${file} is the schema ${name}`)
  validators.set(name, ajv.compile(schema))
}

let failed = 0
const fail = text => {
  if (failed++ < 20)
    console.log(text)
}

// The deepest of the errors is what is wrong: others are those of the other variants.
const worst = errors => {
  const depth = error => error.instancePath.split('/').length
  const error = errors.reduce((a, b) => (depth(b) > depth(a) ? b : a))
  return `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`
}

const samples = new Map()
let count = 0
for (const run of readFileSync(batch, 'utf8').split(/^#(?=run |lines )/m).slice(1)) {
  const end = run.indexOf('\n')
  const command = run.slice(0, end)
  const of = command.startsWith('lines ') ? `proflog.${command.split(' ')[1]}` : undefined
  for (const text of run.slice(end + 1).split(/^(?=\{)/m).filter(part => part.trim() !== '')) {
    const object = JSON.parse(text)
    const name = of ?? object.schema
    const validate = validators.get(name)
    count++
    if (validate === undefined)
      fail(`${command}: no schema ${name}`)
    else if (!validate(object))
      fail(`${command}: ${worst(validate.errors)}`)
    if (!samples.has(name) || text.length > samples.get(name).length)
      samples.set(name, text)
  }
}
for (const name of validators.keys())
  if (!samples.has(name))
    fail(`no object of ${name}`)
console.log(`${count} objects of ${samples.size} schemas`)

// places(value, visit): each object and list in it, the first three items of a list; but for what any event may have.
const places = (value, visit) => {
  if (value === null || typeof value !== 'object')
    return
  visit(value)
  const inner = Array.isArray(value) ? Object.entries(value.slice(0, 3)) : Object.entries(value)
  for (const [key, item] of inner)
    if (key !== 'fields')
      places(item, visit)
}

// damaged(name, text, change): for each place, the object with the change there, which is to be invalid.
let damages = 0
const damaged = (name, text, what, change) => {
  const whole = JSON.parse(text)
  const validate = validators.get(name)
  places(whole, place => {
    for (const restore of change(place)) {
      damages++
      if (validate(whole))
        fail(`${name}: ${what} is not noticed in ${JSON.stringify(place).slice(0, 200)}`)
      restore()
    }
  })
}

for (const [name, text] of samples) {
  if (text.length > 100000 || !validators.has(name))
    continue
  damaged(name, text, 'an extra key', function* (place) {
    if (Array.isArray(place))
      return
    place.planted = {} // the rows of query may have any key
    yield () => delete place.planted
  })
  damaged(name, text, 'a wrong type', function* (place) {
    for (const [key, value] of Object.entries(place).slice(0, 50)) {
      if (value !== null && typeof value === 'object')
        continue
      place[key] = {}
      yield () => { place[key] = value }
    }
  })
  const whole = JSON.parse(text)
  delete whole[['schema', 'item', 'format'].find(key => key in whole)]
  damages++
  if (validators.get(name)(whole))
    fail(`${name}: a missing key is not noticed`)
}
console.log(`${damages} damages noticed`)
process.exit(failed > 0 ? 1 : 0)
