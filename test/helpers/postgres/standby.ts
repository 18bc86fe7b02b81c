import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run } from '../repository.ts'
import { createServerFolder, PASSWORD, USER } from './data-folder.ts'
import type { Postgres } from './index.ts'
import { type ServerOfDatabases, serverFor } from './server.ts'

/**
 * Starts a synchronous standby. From then on, every commit on the primary waits for the standby. Stops the primary
 * while it copies the data.
 */
export async function startStandby(t: Test, primary: Postgres): Promise<ServerOfDatabases> {
  await primary.stop()
  const data = join(await createServerFolder(t), 'data')
  await run('cp', ['-a', primary.data, data])
  await writeFile(join(data, 'standby.signal'), '')
  await primary.start('-c', 'synchronous_standby_names=*')
  const standby = await serverFor(t, data)
  const login = `host=127.0.0.1 port=${primary.port} user=${USER} password=${PASSWORD}`
  await standby.start('-c', `primary_conninfo=${login}`)
  return standby
}
