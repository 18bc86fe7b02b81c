import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { operatorTool } from '../../helpers/operator.ts'
import { assertExactlyOnce, readChainOverRpc } from '../../helpers/oracle/index.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startServiceNetwork } from './service-network.ts'

const feeIds = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}-${index}`)
const [BEFORE, AFTER, LAST] = [feeIds('before'), feeIds('after'), feeIds('last')]

testEachBuild('executes nothing twice when all clients retry after a backup is restored', async (t, sdk) => {
  const { chain, network } = await startServiceNetwork(t, { sdk })
  const directory = temporaryFolder(t)
  const backup = join(temporaryFolder(t), 'backup')

  async function submitAll(at: Awaited<ReturnType<typeof startEngine>>, names: readonly string[]) {
    return Promise.all(
      names.map(async feeId => {
        const { submissionId } = await at.submit(feeId)
        return { feeId, submission: await at.engine.settled(submissionId, PATIENCE_MS) }
      })
    )
  }

  const first = await startEngine(t, chain, { directory })
  await submitAll(first, BEFORE)
  await first.stop()
  cpSync(directory, backup, { recursive: true })

  const lost = await startEngine(t, chain, { directory })
  await submitAll(lost, AFTER)
  // These transfers are signed and possibly sent. Transfers that have reached the mempool are executed later.
  for (const { submissionId } of await Promise.all(LAST.map(feeId => lost.submit(feeId)))) {
    const isSigned = async () => (await lost.store.find(submissionId))?.status !== 'queued'
    await until(isSigned, `${submissionId} is signed`)
  }
  await lost.stop()

  const restored = await startEngine(t, chain, { directory: backup })
  const accepted = await submitAll(restored, [...BEFORE, ...AFTER, ...LAST])
  assertExactlyOnce(t, await readChainOverRpc(chain.urls.rpc, restored.address), accepted)
  await restored.stop()
  const tool = operatorTool(t, network, { SERVICE_DATA_DIR: backup })
  t.match(await tool('verify', '--from', '1'), { code: 0, out: /60 committed submissions match, 0 diff/ })
})
