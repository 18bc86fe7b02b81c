import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { type Network, startNetwork, testEnv } from '../helpers/app.ts'
import { type ServerProcess, spawnServer, startServer } from '../helpers/server-process.ts'
import { AWAY_WEBHOOK } from '../helpers/webhook-receiver.ts'
import { startLoad } from './load.ts'

const KILLED_AT_START = 0.2

/** A server under load is killed after at most MOST_ANSWERS responses, plus at most MOST_MS milliseconds. */
const MOST_ANSWERS = 60
const MOST_MS = 150

/** Waits until the server exits without being killed, then rejects with the end of the server's output. */
async function endedByItself(server: ServerProcess): Promise<never> {
  const code = await server.exited
  throw new Error(`The server ended with ${code} and wrote: ${server.output.slice(-2000)}`)
}

interface KillRounds {
  rounds: number
  network?: Network
  /** How long a request waits for its block: slightly more than the block time, so some responses are "pending". */
  submitTimeoutMs?: number
  /** The network's node, which in each round is killed or stopped alone, and in half of them again with the server. */
  node?: { stop(): Promise<unknown>; kill(): Promise<unknown>; restart(): Promise<void> }
}

/** Kills a server with SIGKILL at random moments under load and restarts it on the same data; then lets it finish. */
export async function killRounds(t: Test, options: KillRounds): Promise<void> {
  const { submitTimeoutMs = 150, node } = options
  const network = options.network ?? (await startNetwork(t, { blockTimeMs: 100 }))
  const env = testEnv(t, network, { SERVICE_SUBMIT_TIMEOUT: String(submitTimeoutMs), ...AWAY_WEBHOOK })
  const load = startLoad(t, options.rounds)
  const { door, random, rounds } = load
  let startMs = 0

  async function start() {
    const started = performance.now()
    const server = await startServer(t, env)
    startMs = performance.now() - started
    door.open(server.url)
    return server
  }

  for (let round = 1; round <= rounds; round += 1) {
    if (startMs > 0 && random.chance(KILLED_AT_START)) {
      const child = await spawnServer(t, env)
      await delay(random.next() * startMs)
      await child.stop('SIGKILL')
      continue
    }
    const server = await start()
    await Promise.race([load.moreAnswers(random.int(0, MOST_ANSWERS)), endedByItself(server)])
    if (node) {
      await (random.chance(0.5) ? node.kill() : node.stop())
      // Until it has started, clients send to a server without a node.
      await node.restart()
    }
    await delay(random.next() * MOST_MS)
    door.close()
    const together = node && random.chance(0.5) ? node : undefined
    await Promise.all([server.stop('SIGKILL'), together?.kill()])
    await together?.restart()
  }
  const last = await start()
  await Promise.race([load.finish(network, last.url, env), endedByItself(last)])
  t.equal(await last.stop('SIGTERM'), 0)
}
