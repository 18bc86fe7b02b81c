import { NodeUnavailableError } from '../../../services/chain-client/index.ts'
import type { Dice } from '../faults/dice.ts'
import type { Network } from '../model-chain/network.ts'
import type { ModelNode } from '../model-chain/node.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Process } from './process.ts'

/** How long the engine waits for an answer. */
const TIMEOUT_MS = 1000

/** The longest delay of a late request. */
const LATEST_MS = 8000

/** Calls go to one node; when a call fails, the following ones go to the next node. */
export interface Wire {
  /** The node in use. */
  node(): ModelNode
  /** @throws NodeUnavailableError */
  ask<T>(name: string, work: (node: ModelNode) => T | Promise<T>): Promise<T>
  /** Passes the time that a node needs. @throws Error when that is longer than the engine waits */
  work(ms: number): Promise<void>
  /** As `ask`, for a request that may arrive late, or twice. */
  send<T>(name: string, work: (node: ModelNode) => T): Promise<T>
  onChange(listener: () => void): void
}

export function createWire(options: {
  network: Network
  process: Process
  dice: Dice
  clock: VirtualClock
  random: Random
  latencyMs: number
}): Wire {
  const { network, process, dice, clock, random, latencyMs } = options
  let active = 0
  let changed = () => {}

  function node(): ModelNode {
    const found = network.nodes[active]
    if (!found) throw new RangeError('there is no such node')
    return found
  }

  function failed(asked: number, reason: string): NodeUnavailableError {
    if (active === asked && network.nodes.length > 1) {
      active = (active + 1) % network.nodes.length
      changed()
    }
    return new NodeUnavailableError(`node-${asked}`, new Error(reason))
  }

  async function travel(): Promise<void> {
    if (latencyMs > 0 && random.chance(0.5)) await clock.delay(random.int(1, Math.ceil(latencyMs / 2)))
  }

  async function exchange<T>(work: (node: ModelNode) => T | Promise<T>): Promise<T> {
    const asked = active
    const target = node()
    const isLost = dice.strikes('lost-answer')
    if (isLost && random.chance(0.5)) {
      await clock.delay(random.pick([1, TIMEOUT_MS]))
      throw failed(asked, 'request lost')
    }
    await travel()
    if (target.troubles.isUnreachable) throw failed(asked, 'connection refused')
    const answer = await work(target)
    if (isLost) {
      await clock.delay(random.pick([1, TIMEOUT_MS]))
      throw failed(asked, 'answer lost')
    }
    await travel()
    return answer
  }

  return {
    node,
    async work(ms) {
      if (ms > 0) await clock.delay(Math.min(ms, TIMEOUT_MS))
      if (ms > TIMEOUT_MS) throw new Error('time-out')
    },
    ask: (name, work) => process.call(`chain.${name}`, () => exchange(work)),
    send: (name, work) =>
      process.call(`chain.${name}`, async () => {
        const asked = active
        const target = node()
        const isLate = dice.strikes('late-request')
        if (isLate || dice.strikes('duplicate')) {
          clock.after(random.int(0, LATEST_MS), () => work(target))
        }
        if (!isLate) return exchange(work)
        await clock.delay(random.int(1, TIMEOUT_MS))
        throw failed(asked, 'time-out')
      }),
    onChange(listener) {
      changed = listener
    }
  }
}
