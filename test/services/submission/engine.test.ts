import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { test } from '../../helpers/tap.ts'

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
