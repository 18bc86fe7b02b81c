import { currentDocument, operationsOf } from './document.ts'
import { notedAnswers } from './recorder.ts'

// After the whole suite: each status that the document promises must have been the answer of some test.
const noted = notedAnswers()
for (const { operationId, responses } of operationsOf(await currentDocument())) {
  const missing = Object.keys(responses).filter(status => !noted.has(`${operationId} ${status}`))
  if (missing.length === 0) continue
  process.exitCode = 1
  process.stdout.write(
    `not ok - ${operationId} documents ${missing.join(', ')}, which no test of this run produced\n`
  )
}
