import { startNetwork } from '../../helpers/app.ts'
import { fastClock } from '../../helpers/clock.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'

test('applies blocks while the signer hangs, and executes waiting submissions once the signer recovers', async t => {
  const devnet = await startNetwork(t)
  let isHanging = false
  const hung: (() => void)[] = []
  const { engine, submit, address } = await startEngine(t, devnet, {
    clock: fastClock(20),
    changeWallet: ({ signDirect }) => ({
      async signDirect(...request) {
        if (isHanging) await new Promise<void>(resolve => hung.push(resolve))
        return signDirect(...request)
      }
    })
  })
  devnet.chain.pause()
  const sent = await submit('fee-sent')
  await until(() => devnet.chain.mempool.size > 0, 'the node has the transaction')
  isHanging = true
  const waiting = await submit('fee-waiting')
  await until(() => hung.length > 0, 'the signer hangs')
  devnet.chain.resume()
  t.match(await engine.settled(sent.submissionId, PATIENCE_MS), { status: 'committed' })
  await until(() => hung.length > 1, 'the engine calls the signer again')
  t.match(await engine.find(waiting.submissionId), { status: 'queued' })

  isHanging = false
  t.match(await engine.settled(waiting.submissionId, PATIENCE_MS), { status: 'committed' })
  for (const sign of hung) sign()
  const last = await submit('fee-last')
  t.match(await engine.settled(last.submissionId, PATIENCE_MS), { status: 'committed' })
  const { executions, sequences } = readChain(devnet, address)
  t.strictSame(
    [...executions],
    ['fee-sent', 'fee-waiting', 'fee-last'].map(feeId => [feeId, 1])
  )
  t.equal(sequences.length, 3)
})

test('refuses to start if the chain was restarted from genesis', async t => {
  const { directory, stop } = await startEngine(t, await startNetwork(t))
  await stop()
  const anew = await startNetwork(t)
  while (anew.chain.height < 20) anew.chain.produceBlock()
  await t.rejects(startEngine(t, anew, { directory }), {
    name: 'ForeignChainError',
    message: /was restarted/
  })
})
