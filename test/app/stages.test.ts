import { randomUUID } from 'node:crypto'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { createSubmissionLog } from '../../services/submission/intake/submission-log.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { test } from '../helpers/tap.ts'
import { cardBody, submit } from '../helpers/transfer-flow.ts'

test('each stage of a submission is one line, from the request to the chain', async t => {
  const lines: string[] = []
  const logTo = (line: string) => lines.push(line)
  const server = await build(t, { LOG_LEVEL: 'info' }, { devnet: await startNetwork(t), logTo })
  const feeId = randomUUID()
  const answer = await submit(server, cardBody({}, { feeId }))
  const { submissionId, txId, transactionHash: hash, height } = answer.json()
  const reqId = answer.headers['x-request-id']
  t.equal(answer.statusCode, 200)

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
  for (const { level } of stages) t.equal(level, 30, 'all at info')
})

test('the lines about a submission that ended', async t => {
  const { log, entries } = keepingLog()
  const submissionLog = createSubmissionLog(log)
  const times = { createdAt: '2026-01-22T02:38:46.811Z', updatedAt: '2026-01-22T02:38:46.828Z' }
  const error = { code: 5, codespace: 'sdk', message: 'no funds' }
  const accept = (submissionId: string, outcome: 'created' | 'joined') =>
    submissionLog.accepted({ submissionId, outcome }, [{ kind: 'fee', value: `fee of ${submissionId}` }], {
      reqId: undefined,
      trace: ROOT_CONTEXT
    })
  accept('a', 'created')
  accept('b', 'created')
  submissionLog.forget(['b'])
  accept('c', 'joined')
  for (const submissionId of ['a', 'b', 'c'])
    submissionLog.settled({ submissionId, status: 'rejected', error, ...times })
  t.match(entries.slice(3), [
    {
      level: 'info',
      message: 'submission rejected',
      fields: { submissionId: 'a', feeId: 'fee of a', code: 5, codespace: 'sdk', reason: 'no funds' }
    },
    { fields: { submissionId: 'b', feeId: undefined } },
    { fields: { submissionId: 'c', feeId: undefined } }
  ])
})
