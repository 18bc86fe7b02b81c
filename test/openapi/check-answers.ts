import { currentDocument, operationsOf } from './document.ts'
import { notedAnswers } from './recorder.ts'

// Runs after all tests: each documented status must have occurred in some test.
const noted = notedAnswers()
for (const { operationId, responses } of operationsOf(await currentDocument())) {
  const missing = Object.keys(responses).filter(status => !noted.has(`${operationId} ${status}`))
  if (missing.length === 0) continue
  process.exitCode = 1
  process.stdout.write(
    `not ok - ${operationId} documents ${missing.join(', ')}, which no test of this run got\n`
  )
}
