import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, and to listeners that name none. */
const [FIRST, END] = [20_000, 32_000]

/** In turn from anywhere, so that this process gets no port twice, and others seldom get the same. */
let next = randomInt(FIRST, END)

/** A free port, for a process that must be given its port. It stays free while the process is stopped and starts again. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = next
    next = port + 1 < END ? port + 1 : FIRST
    if (await isFree(host, port)) return port
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
