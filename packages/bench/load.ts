import type { Network, NetworkOptions } from './processes/network.ts'
import type { Server } from './processes/server.ts'
import type { Figure } from './report.ts'
import { sum } from './statistics.ts'
import { type Answer, connect, isCommitted, runClients, times } from './submissions.ts'

/** The size of a load. Each client sends its next submission as soon as the previous one has its response. */
export interface LoadOptions {
  clients: number
  /** Number of unmeasured submissions for the warm-up. */
  warmUp: number
  /** Number of measured submissions. */
  count: number
}

/** The result of a load. */
export interface Load {
  /** All responses, starting with the warm-up. */
  answers: Answer[]
  measured: Answer[]
  perSecond: number
  /** The servers' CPU time per submission, including HTTP, in milliseconds. */
  cpuMs: number
}

/** Runs a load against one server, or against several replicas in turn. */
export async function load(
  servers: readonly Server[],
  { clients, warmUp, count }: LoadOptions
): Promise<Load> {
  const { submit, close } = connect(servers, clients)
  const cpu = async () =>
    sum((await Promise.all(servers.map(({ usage }) => usage()))).map(({ cpuMs }) => cpuMs))
  const warm = await runClients(clients, submit, times(warmUp))
  const [begin, before] = [performance.now(), await cpu()]
  const measured = await runClients(clients, submit, times(count))
  const seconds = (performance.now() - begin) / 1000
  const cpuMs = (await cpu()) - before
  await close()
  return { answers: [...warm, ...measured], measured, perSecond: count / seconds, cpuMs: cpuMs / count }
}

/** Number of blocks to ignore at the start of a load, while clients start, and at its end, while they finish. */
const ENDS = 3

/**
 * Compares the submissions in a load's blocks with the blocks' capacity. Gas limits the capacity, not bytes.
 * @returns submissions per block, capacity in submissions per block, and the former as a percentage of the latter
 */
export function fullness({ blocks }: Network, { maxBlockGas }: NetworkOptions, { measured }: Load) {
  const heights = measured.filter(isCommitted).map(({ height = 0 }) => height)
  const [first, last] = [Math.min(...heights), Math.max(...heights)]
  const all = blocks.filter(({ height }) => height >= first && height <= last)
  const inner = all.slice(ENDS, -ENDS)
  const counted = inner.length > 0 ? inner : all
  const submissions = sum(counted.map(({ messages }) => messages))
  const capacity = maxBlockGas / (sum(counted.map(({ gasWanted }) => gasWanted)) / submissions)
  const perBlock = submissions / counted.length
  return { perBlock, capacity, percent: (100 * perBlock) / capacity }
}

/** Creates the figures for how full the blocks are. @param compared name and fullness of the subject to compare with */
export function fullnessFigures(
  { perBlock, capacity, percent }: ReturnType<typeof fullness>,
  atLeast: number,
  compared?: [name: string, ReturnType<typeof fullness>]
): Figure[] {
  return [
    {
      name: 'how full the blocks are',
      unit: '%',
      value: percent,
      limit: { atLeast },
      ...(compared && { compared: { [compared[0]]: compared[1].percent } })
    },
    { name: 'submissions in a block', unit: '', value: perBlock, compared: { 'it can hold': capacity } }
  ]
}
