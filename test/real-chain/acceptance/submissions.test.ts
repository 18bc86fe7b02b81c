import { type Answer, send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { testEnv } from '../../helpers/app.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { builds } from '../harness/builds.ts'
import { startServiceNetwork } from './service-network.ts'

for (const sdk of builds) {
  test(`SDK ${sdk}: 200 submissions at once all succeed, with 200 transaction ids`, async t => {
    const { network } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
    const { url } = await startServer(t, testEnv(t, network))
    const answers = new Map<string, Answer[]>()
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const feeId = `fee-${index}`
        answers.set(feeId, [await send(url, feeId)])
      })
    )
    const txIds = [...answers.values()].flatMap(([answer]) =>
      answer?.status === 'committed' ? [answer.txId] : []
    )
    t.equal(new Set(txIds).size, 200)
    await assertAnswersHold(t, network, url, answers)
  })
}
