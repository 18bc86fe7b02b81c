import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isObject } from '../../services/json.ts'

/** Lists the bodies in documents by file whose example is missing or invalid, and counts all bodies. */
export function invalidExamples(documents: Record<string, object>) {
  const ajv = new Ajv2020({ strict: true, strictTypes: false })
  formats.default(ajv)
  ajv.addVocabulary([...new Set(Object.values(documents).flatMap(Object.keys))])
  const invalid: string[] = []
  let bodies = 0
  function look(value: object, place: string): void {
    for (const [key, member] of Object.entries(value)) {
      if (!isObject(member)) continue
      const pointer = `${place}/${encodeURIComponent(key.replaceAll('/', '~1'))}`
      look(member, pointer)
      if (!place.endsWith('/content')) continue
      bodies++
      const isValid = ajv.validate(`${pointer}/schema`, 'example' in member ? member.example : undefined)
      if (!isValid) invalid.push(`${pointer}: ${ajv.errorsText()}`)
    }
  }
  for (const [name, document] of Object.entries(documents)) {
    ajv.addSchema({ ...document, $id: name })
    look(document, `${name}#`)
  }
  return { invalid, bodies }
}
