import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../helpers/repository.ts'
import type { Buildah } from './buildah.ts'

const NAME = 'localhost/node'

/** Node version of the assembled image, and the npm version that this Node version includes. */
const VERSIONS = { node: '22', npm: '10' }

/** Provides the Dockerfile's base image, or if it cannot be pulled, a minimal Debian with Node from an npm package. */
export async function baseImage(buildah: Buildah, preferred: string, folder: string): Promise<string> {
  try {
    await buildah.run('pull', '--quiet', preferred)
    return preferred
  } catch {
    await assemble(folder)
    const container = await buildah.run('from', 'scratch')
    await buildah.run('copy', '--quiet', container, folder, '/')
    await buildah.run('commit', '--quiet', '--rm', container, NAME)
    rmSync(folder, { recursive: true })
    return NAME
  }
}

async function assemble(folder: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', 'bookworm', folder])
  for (const path of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(folder, path), { recursive: true })
    mkdirSync(join(folder, path, 'partial'), { recursive: true })
  }
  const node = `node-${process.platform}-${process.arch}`
  const packages = [`${node}@${VERSIONS.node}`, `npm@${VERSIONS.npm}`]
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', '--prefix', join(folder, 'usr/local/lib'), ...options, ...packages])
  const modules = join(folder, 'usr/local/lib/node_modules')
  for (const unused of ['include', 'share']) rmSync(join(modules, node, unused), { recursive: true })
  const commands = { node: `${node}/bin/node`, npm: 'npm/bin/npm-cli.js' }
  for (const [name, path] of Object.entries(commands)) {
    symlinkSync(`../lib/node_modules/${path}`, join(folder, 'usr/local/bin', name))
  }
}
