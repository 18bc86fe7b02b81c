import { build, startNetwork } from '../../helpers/app.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { test } from '../../helpers/tap.ts'
import { submit, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { walletNode } from '../../helpers/wallet-node.ts'

test('a server joins what another server accepted while it waited for the approval', async t => {
  const devnet = await startNetwork(t)
  const { createDatabase } = await startPostgres(t)
  const DATABASE_URL = await createDatabase()
  const start = (ETH: string) => {
    const SERVICE_EVM_RPC = JSON.stringify({ ETH })
    return build(t, { DATABASE_URL, SERVICE_EVM_RPC, SERVICE_SUBMIT_TIMEOUT: '4000' }, { devnet })
  }
  const [lagging, current] = [await walletNode(t), await walletNode(t)]
  lagging.node.allowance = () => 0n
  const [one, other] = [await start(lagging.url), await start(current.url)]
  const body = await transferBody(one)
  const first = submit(one, body)
  await until(() => lagging.calls().length > 0, 'the first server has read the allowance')
  const { submissionId } = (await submit(other, body)).json()
  t.type(submissionId, 'string')
  t.match((await first).json(), { submissionId })
})
