import { send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { testEnv } from '../../helpers/app.ts'
import type { Told } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { OTHER } from '../../helpers/transfer.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startServiceNetwork } from './service-network.ts'

/** The feeId prefixes, which select the kind of request: one in five is a swap, one in five is rejected by an event. */
const KINDS = ['fee-', 'fee-', OTHER.swap, 'fee-', OTHER.refusedByEvent]

testEachBuild('responses to 200 simultaneous submissions match the chain', async (t, sdk) => {
  const { network } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
  const { url } = await startServer(t, testEnv(t, network))
  const answers = new Map<string, Told[]>()
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const feeId = `${KINDS[index % KINDS.length]}${index}`
      answers.set(feeId, [await send(url, feeId)])
    })
  )
  const largest = await assertAnswersHold(t, network, url, answers)
  t.ok(largest > 1, `${largest} messages in one transaction`)
})
