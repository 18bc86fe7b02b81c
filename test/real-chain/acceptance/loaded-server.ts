import { randomInt } from 'node:crypto'
import type { Test } from 'tap'
import { createFrontDoor } from '../../faults/front-door.ts'
import { startLoad } from '../../faults/load.ts'
import type { Answer } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { testEnv } from '../../helpers/app.ts'
import type { Network } from '../../helpers/network.ts'
import { startServer } from '../../helpers/server-process.ts'
import { until } from '../../helpers/until.ts'

/** Little more than a block's time, so that some answers are "pending". */
const SUBMIT_TIMEOUT_MS = '450'

const isCommitted = (answers: readonly Answer[]) => answers.some(({ status }) => status === 'committed')

/** The server as a process at that network, with clients that send one transfer after the other. */
export async function startLoadedServer(t: Test, network: Network) {
  const seed = Number(process.env['SEED']) || randomInt(2 ** 31)
  t.comment(`SEED=${seed}`)
  const env = testEnv(t, network, { SERVICE_SUBMIT_TIMEOUT: SUBMIT_TIMEOUT_MS })
  const server = await startServer(t, env)
  const door = createFrontDoor()
  door.open(server.url)
  const load = startLoad(door, seed)
  t.teardown(door.close)
  const committed = () => [...load.answers.values()].filter(isCommitted).length
  return {
    url: server.url,
    /** Waits until clients have got that many more answers, of whatever kind. */
    moreAnswers: load.moreAnswers,
    /** Waits until clients know of that many more transfers that a block has executed them. */
    async moreCommitted(count: number): Promise<void> {
      const awaited = committed() + count
      await until(() => committed() >= awaited, `${awaited} transfers are committed`)
    },
    /** Waits for all results, then compares them with every block. */
    async assertExactlyOnce(): Promise<void> {
      await load.finish()
      t.comment(`${load.answers.size} transfers`)
      await assertAnswersHold(t, network, server.url, load.answers)
      t.equal(await server.stop('SIGTERM'), 0)
    }
  }
}
