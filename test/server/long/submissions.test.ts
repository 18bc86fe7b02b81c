import type { Devnet } from '../../../devnet/index.ts'
import { decided } from '../../faults/transfers.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'

/** The answer to a committed submission. */
interface Committed {
  submissionId: string
  txId: number
  height: number
}

function post(url: string, feeId: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/submit`, { method: 'POST', headers, body: submitBody(feeId) })
}

function assertOnceEach(t: Test, devnet: Devnet, feeIds: string[]): void {
  const { executions, sequences, failures } = readChain(devnet, devnet.addresses.development)
  t.strictSame(
    feeIds.map(feeId => executions.get(feeId)),
    feeIds.map(() => 1),
    'each in one message of one successful transaction'
  )
  t.strictSame(sequences, [...sequences.keys()], 'no gap in the sequences')
  t.strictSame(failures, [], 'no transaction failed')
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `fee-${index}`)

test('200 submissions at once all succeed, with 200 transaction ids, in a few blocks', async t => {
  // With blocks of a second, the number of blocks depends on the engine and not on the machine.
  const devnet = await startNetwork(t, { blockTimeMs: 1000 })
  const { url } = await startServer(t, testEnv(t, devnet))
  const feeIds = names(200)
  const responses = await Promise.all(feeIds.map(feeId => post(url, feeId)))
  t.ok(responses.every(({ status }) => status === 200))

  const answers = (await Promise.all(responses.map(response => response.json()))) as Committed[]
  t.equal(new Set(answers.map(({ txId }) => txId)).size, 200)
  t.equal(new Set(answers.map(({ submissionId }) => submissionId)).size, 200)
  const heights = answers.map(({ height }) => height)
  t.ok(Math.max(...heights) - Math.min(...heights) < 5, `blocks ${[...new Set(heights)]}`)
  assertOnceEach(t, devnet, feeIds)
})

test('a server that is stopped and started continues with what it has accepted', async t => {
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { SERVICE_SUBMIT_TIMEOUT: '1' })
  const before = await startServer(t, env)
  devnet.chain.pause()
  const feeIds = names(30)
  const responses = await Promise.all(feeIds.map(feeId => post(before.url, feeId)))
  t.ok(
    responses.every(({ status }) => status === 202),
    'accepted, not decided'
  )
  const taken = (await Promise.all(responses.map(response => response.json()))) as Committed[]
  t.equal(await before.stop('SIGTERM'), 0)
  devnet.chain.resume()

  const after = await startServer(t, env)
  for (const { submissionId } of taken) {
    t.match(await decided(after.url, { status: 'pending', submissionId }), { status: 'committed' })
  }
  assertOnceEach(t, devnet, feeIds)

  const again = await post(after.url, 'fee-0')
  t.match(
    await again.json(),
    { submissionId: taken[0]?.submissionId },
    'a retry after the restart returns the existing submission'
  )
})
