import { currentDocument, operationsOf } from './document.ts'
import { notedAnswers } from './recorder.ts'

// After the whole suite: each status that the document promises must have been the answer of some test.
const noted = notedAnswers()
const documented = operationsOf(await currentDocument()).flatMap(({ operationId, responses }) =>
  Object.keys(responses).map(status => `${operationId} ${status}`)
)
const missing = documented.filter(answer => !noted.has(answer))
for (const answer of missing) {
  process.stdout.write(`not ok - ${answer} is documented, and no test of this run produced it\n`)
}
if (missing.length === 0)
  process.stdout.write(`ok - all ${documented.length} documented statuses were produced\n`)
process.exitCode = missing.length === 0 ? 0 : 1
