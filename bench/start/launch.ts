import { join } from 'node:path'
import { freePort } from '../../devnet/free-port.ts'
import type { Lab } from '../lab.ts'
import { startChild } from '../processes/child.ts'
import type { Network } from '../processes/network.ts'
import { script } from '../processes/script.ts'
import { HOST, launchServer, type Serving } from '../processes/server.ts'

/** A log like that of a production server, and no waiting for blocks: a submission is answered once it is stored. */
const ENV = { LOG_LEVEL: 'info', SERVICE_SUBMIT_TIMEOUT: '0' }

export type Launch = (directory: string) => Promise<Serving>

/** What starts the built server in a new folder, without waiting for it. */
export const service =
  (network: Network, { nodeArgs }: Lab): Launch =>
  directory =>
    launchServer(network, { directory, nodeArgs, env: ENV })

/** What starts a bare Fastify in the same way. */
export const bare =
  ({ nodeArgs }: Lab): Launch =>
  async directory => {
    const port = await freePort(HOST)
    const { usage, stop, exited } = startChild({
      args: [...nodeArgs, script('bench/start/bare-process')],
      env: { PORT: String(port), NODE_ENV: 'production' },
      cwd: directory,
      logPath: join(directory, 'bare.log')
    })
    return { url: `http://${HOST}:${port}`, usage, stop, exited }
  }
