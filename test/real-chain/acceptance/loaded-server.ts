import { randomInt } from 'node:crypto'
import type { Test } from 'tap'
import { createFrontDoor } from '../../faults/front-door.ts'
import { startLoad } from '../../faults/load.ts'
import { decided, send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { temporaryFolder, testEnv } from '../../helpers/app.ts'
import type { Network } from '../../helpers/network.ts'
import type { Told } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { until } from '../../helpers/until.ts'

/** Slightly longer than the block time, so that some responses are "pending". */
const SUBMIT_TIMEOUT_MS = '600'

const isCommitted = (answers: readonly Told[]) => answers.some(({ status }) => status === 'committed')

/** Starts the server as a process, with clients that send transfers while it runs. */
export async function startLoadedServer(t: Test, network: Network) {
  const seed = Number(process.env['SEED']) || randomInt(2 ** 31)
  t.comment(`SEED=${seed}`)
  const directory = temporaryFolder(t)
  const door = createFrontDoor()
  t.teardown(door.close)
  const start = () => {
    const settings = { SERVICE_DATA_DIR: directory, SERVICE_SUBMIT_TIMEOUT: SUBMIT_TIMEOUT_MS }
    return startServer(t, testEnv(t, network, settings))
  }
  let server = await start()
  const load = startLoad(door, seed)
  door.open(server.url)
  const beside = new Map<string, Told[]>()
  const committed = () => [...load.answers.values()].filter(isCommitted).length

  return {
    /**
     * Sends `count` transfers in parallel and waits for all responses. The clients send no more while no transfer is
     * executed.
     */
    async submit(count: number): Promise<void> {
      const feeIds = Array.from({ length: count }, (_, index) => `beside-${beside.size + index}`)
      const answers = await Promise.all(feeIds.map(feeId => send(server.url, feeId)))
      for (const [index, feeId] of feeIds.entries()) beside.set(feeId, answers.slice(index, index + 1))
    },
    /** Waits until clients have received the results of `count` more executed transfers. */
    async moreCommitted(count: number): Promise<void> {
      const awaited = committed() + count
      await until(() => committed() >= awaited, `${awaited} transfers are committed`)
    },
    async kill(): Promise<void> {
      door.close()
      await server.stop('SIGKILL')
    },
    async restart(): Promise<void> {
      server = await start()
      door.open(server.url)
    },
    /** Waits for all results, then compares them with every block. */
    async assertExactlyOnce(): Promise<void> {
      await load.finish()
      for (const known of beside.values()) {
        for (const answer of known.splice(0)) known.push(answer, await decided(server.url, answer))
      }
      t.comment(`${load.answers.size} transfers by clients and ${beside.size} others`)
      await assertAnswersHold(
        t,
        network,
        server.url,
        new Map<string, readonly Told[]>([...load.answers, ...beside])
      )
      t.equal(await server.stop('SIGTERM'), 0)
    }
  }
}
