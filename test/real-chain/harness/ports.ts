import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'

/** Below the ports that systems give to outgoing connections. */
const [FIRST, END] = [20_000, 32_000]

/**
 * A free port that stays free while the node that uses it is stopped: no outgoing connection takes it.
 */
export async function nodePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, HOST)
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
