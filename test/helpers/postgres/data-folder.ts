import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run } from '../repository.ts'
import { initdb } from './binaries.ts'

/** User id of `nobody`: some build machines run everything as root, and PostgreSQL refuses to run as root. */
const NOBODY = 65534

/** Process options that run a PostgreSQL program as a user other than root. */
export const asServer = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export const USER = 'service'
export const PASSWORD = 'the-hidden-password'

/** Creates a folder with an empty database cluster. It is removed when the test ends. */
export async function createCluster(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await createServerFolder(t)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  await own(passwordFile)
  const data = join(folder, 'data')
  const login = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  await run(initdb, ['-D', data, ...login, '--encoding=UTF8', '--no-locale', '--no-sync'], asServer)
  return data
}

/** Creates an empty folder owned by the server's user. It is removed when the test ends. */
export async function createServerFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await own(folder)
  return folder
}

async function own(path: string): Promise<void> {
  if (asServer.uid !== undefined) await chown(path, asServer.uid, asServer.gid)
}
