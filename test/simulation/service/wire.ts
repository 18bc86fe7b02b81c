import { NodeUnavailableError } from '../../../services/chain-client/index.ts'
import type { Dice } from '../faults/dice.ts'
import type { ModelNode } from '../model-chain/node.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Process } from './process.ts'

const TIMEOUT_MS = 1000

const LATEST_MS = 8000

/** Creates the connection between a process and one node. Any call can throw NodeUnavailableError. */
export function createWire(
  node: ModelNode,
  options: { process: Process; dice: Dice; clock: VirtualClock; random: Random; latencyMs: number }
) {
  const { process, dice, clock, random, latencyMs } = options

  const failed = (reason: string, late = false) =>
    new NodeUnavailableError(node.name, new Error(reason), { timedOut: late })

  async function travel(): Promise<void> {
    if (latencyMs > 0 && random.chance(0.5)) await clock.delay(random.int(1, Math.ceil(latencyMs / 2)))
  }

  async function lose(reason: string): Promise<never> {
    const late = random.chance(0.5)
    await clock.delay(late ? TIMEOUT_MS : 1)
    throw failed(reason, late)
  }

  async function exchange<T>(work: () => T | Promise<T>): Promise<T> {
    const isLost = dice.strikes('lost-answer')
    if (isLost && random.chance(0.5)) return lose('request lost')
    await travel()
    if (node.troubles.isUnreachable || process.isCutOff) throw failed('connection refused')
    const answer = await work()
    if (isLost) return lose('answer lost')
    await travel()
    return answer
  }

  return {
    ask: <T>(name: string, work: () => T | Promise<T>): Promise<T> =>
      process.call(`chain.${name}`, () => exchange(work)),
    /** Sends a request like `ask`, except that the request can arrive late or twice. */
    send: <T>(name: string, work: () => T): Promise<T> =>
      process.call(`chain.${name}`, async () => {
        if (process.isCutOff) return lose('request lost')
        const isLate = dice.strikes('late-request')
        if (isLate || dice.strikes('duplicate')) clock.after(random.int(0, LATEST_MS), work)
        if (!isLate) return exchange(work)
        await clock.delay(random.int(1, TIMEOUT_MS))
        throw failed('time-out', true)
      })
  }
}
