import {
  type Answer,
  afterBlock,
  during,
  isCommitted,
  runClients,
  type Submit,
  serviceClients
} from '../load/clients.ts'
import type { Network } from '../processes/network.ts'
import type { Server } from '../processes/server.ts'
import { sum } from '../statistics.ts'

/** Blocks that hold more than the machine can submit in one second. */
export const NETWORK = { blockTimeMs: 1000, maxBlockGas: 400_000_000 }

/** What clients saw that each submit again when they have their answer. */
export interface Seen {
  perSecond: number
  failed: number
  /** From its block to the answer in milliseconds, for each committed submission. */
  afterBlock: number[]
}

/** Runs clients for some time. */
export async function seen(network: Network, submit: Submit, clients: number, ms: number): Promise<Seen> {
  const answers = await runClients(clients, submit, during(ms))
  return {
    perSecond: rateOf(answers),
    failed: answers.filter(answer => !isCommitted(answer)).length,
    afterBlock: afterBlock(answers, network.blocks)
  }
}

/** Committed submissions per second, from the first request to the last answer of each client. */
function rateOf(answers: readonly Answer[]): number {
  const begin = Math.min(...answers.map(({ sentAt }) => sentAt))
  const end = Math.max(...answers.map(({ answeredAt }) => answeredAt))
  return (answers.filter(isCommitted).length / (end - begin)) * 1000
}

/** The same for clients of the service, with what they cost its process. */
export async function load(network: Network, server: Server, clients: number, ms: number) {
  const { submit, close } = serviceClients([server.url], clients)
  const before = await server.usage()
  const blocksBefore = network.blocks.length
  const result = await seen(network, submit, clients, ms)
  const after = await server.usage()
  await close()
  const committed = sum(network.blocks.slice(blocksBefore).map(({ messages }) => messages))
  return { ...result, cpuMs: (after.cpuMs - before.cpuMs) / committed, rss: after.rss }
}
