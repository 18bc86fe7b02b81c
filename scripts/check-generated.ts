import { readFileSync } from 'node:fs'
import { isObject } from '../services/json.ts'
import { currentDocuments } from '../test/openapi/document.ts'
import { settingsFiles } from './settings-files.ts'

// `npm run check` runs this file. It exits with code 1 if a generated file differs from what its script would write.
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const documents = await currentDocuments()

/** Lists `operationId status` of each body in a document, and `operationId request` of each webhook. */
function bodiesIn(value: unknown): string[] {
  if (!isObject(value)) return []
  const { operationId, responses }: Record<string, unknown> = { ...value }
  if (typeof operationId !== 'string') return Object.values(value).flatMap(bodiesIn)
  return ['request', ...Object.keys(Object(responses))].map(part => `${operationId} ${part}`)
}

const documented = new Set(Object.values(documents).flatMap(bodiesIn))
const undocumented = ['examples.json', 'examples-widget.json'].flatMap(name =>
  Object.entries<object>(JSON.parse(read(`schemas/${name}`))).flatMap(([operationId, bodies]) =>
    Object.keys(bodies)
      .map(part => `${operationId} ${part}`)
      .filter(body => !documented.has(body))
      .map(body => `schemas/${name}: no document has ${body}`)
  )
)

const stale = {
  settings: Object.entries(settingsFiles())
    .filter(([path, content]) => read(path) !== content)
    .map(([path]) => path),
  openapi: Object.entries(documents)
    .filter(([path, document]) => JSON.stringify(JSON.parse(read(path))) !== JSON.stringify(document))
    .map(([path]) => path),
  examples: undocumented
}

for (const [script, problems] of Object.entries(stale)) {
  if (problems.length === 0) continue
  process.exitCode = 1
  process.stderr.write(
    `Stale: run \`npm run ${script}\` and commit what it writes.\n  ${problems.join('\n  ')}\n`
  )
}
