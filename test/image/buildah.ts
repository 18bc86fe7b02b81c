import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run as runProgram } from '../helpers/repository.ts'

export interface ImageConfig {
  readonly User: string
  readonly Env: string[]
  readonly Entrypoint: string[] | null
  readonly Cmd: string[]
  readonly WorkingDir: string
  readonly StopSignal: NodeJS.Signals
  readonly Healthcheck: { readonly Test: string[] } | null
}

export interface Image {
  readonly config: ImageConfig
  readonly description: string
  readonly files: string
}

export type Buildah = ReturnType<typeof createBuildah>

/** Wraps buildah. The image store is in this folder, so the test can delete it afterwards. */
export function createBuildah(t: Test, folder: string) {
  mkdirSync(folder, { recursive: true })
  const places = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
  const run = async (...words: string[]): Promise<string> => {
    // Set TMPDIR too, because buildah stores build downloads there.
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', TMPDIR: folder }
    return (await runProgram('buildah', [...places, ...words], { env })).trim()
  }
  t.teardown(() => run('rm', '--all'))
  return {
    run,
    /** Mounts an image until the test ends. @returns its configuration and folder */
    async open(name: string): Promise<Image> {
      const files = await run('mount', await run('from', '--pull-never', name))
      const { Config } = JSON.parse(await run('inspect', '--type', 'image', name))
      return { config: JSON.parse(Config).config, description: Config, files }
    }
  }
}
