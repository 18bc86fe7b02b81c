import { patientPost } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { type Replica, replicaSite, untilReady } from './replicas.ts'

const post = ({ url }: { url: string }, feeId: string) => patientPost(`${url}/submit`, submitBody(feeId))

test('all replicas share one SERVICE_DAILY_FEE_LIMIT, regardless of which replica accepts or pays', async t => {
  const site = await replicaSite(t)
  // The limit allows some transactions, and the timeout is short for those that the limit blocks.
  const limited = { SERVICE_DAILY_FEE_LIMIT: '10000', SERVICE_SUBMIT_TIMEOUT: '1' }
  const first = await site.start(limited)
  const second = await site.start(limited)
  await untilReady([first, second])
  t.ok((await post(first, 'fee-0')).ok, 'nothing is spent yet')
  let count = 0
  async function assertRefuses(replica: Replica): Promise<void> {
    const isRefused = async () => {
      count += 1
      return (await (await post(replica, `fee-${count}`)).text()).includes('"DAILY_FEE_LIMIT"')
    }
    t.ok(await until(isRefused, 'the limit is reached'))
    const isAnswered = async () => (await post(replica, 'fee-0')).status === 200
    t.ok(await until(isAnswered, 'a retry returns the existing submission'))
  }
  await assertRefuses(first)
  await assertRefuses(second)

  const third = await site.start(limited)
  await assertRefuses(third)
  await site.stop(first, 'SIGKILL')
  await site.stop(second, 'SIGKILL')
  await third.saw(/"msg":"engine ready"/)
  await assertRefuses(third)
})
