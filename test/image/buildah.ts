import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run as runProgram } from '../helpers/repository.ts'

interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[] | null
  Cmd: string[]
  WorkingDir: string
  StopSignal: NodeJS.Signals
  Healthcheck: { Test: string[] } | null
}

export type Buildah = ReturnType<typeof createBuildah>
export type Image = Awaited<ReturnType<Buildah['open']>>

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
    async open(name: string) {
      const files = await run('mount', await run('from', '--pull-never', name))
      const { Config } = JSON.parse(await run('inspect', '--type', 'image', name))
      const { config }: { config: ImageConfig } = JSON.parse(Config)
      return { config, description: String(Config), files }
    }
  }
}
