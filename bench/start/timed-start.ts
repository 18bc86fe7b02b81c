import { mkdir } from 'node:fs/promises'
import { type Serving, untilHealthy } from '../processes/server.ts'

/** One start, in milliseconds. */
export interface StartTimes {
  /** From the start of the process to the first answer of `/health`. */
  healthyMs: number
  /** CPU time of the whole process until then. */
  cpuMs: number
}

/** Starts a server in a folder, which is made if it is missing, and waits until it answers. */
export async function timedStart<T extends Serving>(
  launch: (directory: string) => Promise<T>,
  directory: string
): Promise<{ serving: T; healthyAt: number; times: StartTimes }> {
  await mkdir(directory, { recursive: true })
  const begin = performance.now()
  const serving = await launch(directory)
  await untilHealthy(serving)
  const healthyAt = performance.now()
  const { cpuMs } = await serving.usage()
  return { serving, healthyAt, times: { healthyMs: healthyAt - begin, cpuMs } }
}
