import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './app.ts'
import { root, run } from './repository.ts'

/** Creates a folder with the built client and viem in `node_modules`, so that programs can import them by package name. */
export async function installClient(t: Test): Promise<string> {
  const folder = temporaryFolder(t)
  const path = join(folder, 'node_modules/transaction-back-end-client')
  mkdirSync(path, { recursive: true })
  copyFileSync(join(root, 'packages/client/package.json'), join(path, 'package.json'))
  const build = ['--import', 'tsx/esm', 'scripts/build-client.ts', join(path, 'dist')]
  await run(process.execPath, build)
  symlinkSync(join(root, 'node_modules/viem'), join(folder, 'node_modules/viem'))
  return folder
}
