import { read } from '../helpers/repository.ts'
import type { OpenApiDocument } from './document.ts'
import { notedAnswers } from './recorder.ts'

// Runs after all tests. Fails if no test received a status of the document, which `npm run check` keeps current.
const noted = notedAnswers()
const { paths }: OpenApiDocument = JSON.parse(read('openapi.json'))
for (const { operationId, responses } of Object.values(paths).flatMap(path => Object.values(path))) {
  const missing = Object.keys(responses).filter(status => !noted.has(`${operationId} ${status}`))
  if (missing.length === 0) continue
  process.exitCode = 1
  process.stdout.write(
    `not ok - ${operationId} documents ${missing.join(', ')}, which no test received in this run\n`
  )
}
