import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { startNetwork } from '../helpers/app.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

test('another wallet works with a separate data directory', async t => {
  const devnet = await startNetwork(t)
  const { development, other } = devnet.addresses
  const first = await startEngine(t, devnet)
  const before = await first.submit('before')
  const old = await first.engine.settled(before.submissionId, PATIENCE_MS)
  const tool = operatorTool(t, devnet, { SERVICE_DATA_DIR: first.directory })
  const unsettled = ['list', '--state', 'queued', '--state', 'broadcast']
  t.match(await tool(...unsettled), { code: 0, out: 'No submissions match.\n' })
  await first.stop()
  await t.rejects(startEngine(t, devnet, { directory: first.directory, mnemonic: OTHER_WALLET }), {
    message: `the store belongs to the wallet ${development}, not to ${other}`
  })

  devnet.control.allow(other)
  const second = await startEngine(t, devnet, { mnemonic: OTHER_WALLET })
  const after = await second.submit('after')
  const submission = await second.engine.settled(after.submissionId, PATIENCE_MS)
  const { executions } = readChain(devnet, other)
  t.strictSame(
    executions,
    new Map([
      ['before', 1],
      ['after', 1]
    ])
  )
  const accepted = [
    {
      feeId: 'before',
      fields: { ...ownRequest('before').fields, creator: development },
      submission: old
    },
    { feeId: 'after', submission }
  ]
  assertExactlyOnce(t, readChain(devnet, other), accepted)
  t.match(await tool('verify', '--from', '1'), {
    code: 0,
    out: /1 committed submissions match, 0 differences/
  })
})
