import { currentDocuments, operationsOf } from './document.ts'
import { notedAnswers } from './recorder.ts'

// Runs after all tests. Fails if there is a documented status that no test received.
const noted = notedAnswers()
for (const { operationId, responses } of operationsOf((await currentDocuments())['openapi.json'])) {
  const missing = Object.keys(responses).filter(status => !noted.has(`${operationId} ${status}`))
  if (missing.length === 0) continue
  process.exitCode = 1
  process.stdout.write(
    `not ok - ${operationId} documents ${missing.join(', ')}, which no test received in this run\n`
  )
}
