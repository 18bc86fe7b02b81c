import { randomUUID } from 'node:crypto'
import { build, startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'
import { cardBody, submit } from '../helpers/transfer-flow.ts'

test('logs one line for each stage of a submission, from the request to the chain', async t => {
  const lines: string[] = []
  const logTo = (line: string) => lines.push(line)
  const server = await build(t, { LOG_LEVEL: 'info' }, { devnet: await startNetwork(t), logTo })
  const feeId = randomUUID()
  const response = await submit(server, cardBody({}, { feeId }))
  const { submissionId, txId, transactionHash: hash, height } = response.json()
  const reqId = response.headers['x-request-id']
  t.equal(response.statusCode, 200)

  const stages = lines
    .filter(line => [feeId, submissionId, hash].some(id => line.includes(id)))
    .map(line => JSON.parse(line))
  t.match(stages, [
    { msg: 'submission accepted', reqId, submissionId, feeId, outcome: 'created' },
    { msg: 'slot signed', submissionIds: [submissionId], sequence: 0, hash },
    { msg: 'slot sent', sequence: 0, hash },
    { msg: 'slot resolved', sequence: 0, hash, height },
    { msg: 'submission committed', submissionId, feeId, hash, height, txId }
  ])
  t.equal(stages.length, 5)
  for (const { level } of stages) t.equal(level, 30, 'every stage is logged at info')
})
