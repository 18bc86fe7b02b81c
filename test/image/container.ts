import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { Variables } from '../helpers/app.ts'
import { startProcess, type TestProcess } from '../helpers/process.ts'
import { until } from '../helpers/until.ts'
import type { Image, ImageConfig } from './buildah.ts'

/**
 * Makes the image's files a read-only root with what is mounted and the machine's devices in it, and becomes the
 * command in it, as that user and group.
 */
const SCRIPT = `
root=$1 uid=$2 gid=$3 work=$4 data=$5 tmpfs=$6
shift 6
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
if [ -n "$data" ]; then mount --bind "$data" "$root/app/data"; fi
if [ -n "$tmpfs" ]; then mount -t tmpfs tmpfs "$root$tmpfs"; fi
mount -o remount,bind,ro "$root"
exec unshare --root "$root" --wd "$work" --setgid "$gid" --setuid "$uid" -- "$@"
`

export interface ContainerOptions {
  env?: Variables
  /** UID:GID, in place of the image's. */
  user?: string
  /** The folder that is mounted as the volume; it belongs to the image's user. */
  data?: string
  /** A folder that is empty and in memory. */
  tmpfs?: string
  /** In place of the image's. */
  command?: string[]
}

export interface Container extends Pick<TestProcess, 'output' | 'exited' | 'saw'> {
  /** The id of process 1 on this machine. */
  pid(): Promise<number>
  /** Sends process 1 the image's signal and waits for the exit. */
  stop(): Promise<number | null>
}

/** What an image runs when nothing else is asked for. */
export const commandOf = ({ Entrypoint, Cmd }: ImageConfig) => [...(Entrypoint ?? []), ...Cmd]

/**
 * Runs an image as a container runtime does that is told to harden it: as process 1, as the image's user with no
 * capabilities and no way to gain any, on a read-only root, with the image's environment. It shares the network of this
 * machine. Killed when the test ends.
 */
export function runImage(t: Test, { config, files }: Image, options: ContainerOptions = {}): Container {
  const { env = {}, user = config.User, data = '', tmpfs = '', command = commandOf(config) } = options
  const [uid = '', gid = ''] = user.split(':')
  const ending = ['--pdeathsig', 'KILL', '--no-new-privs']
  const isolation = ['unshare', '--mount', '--pid', '--fork', '--kill-child']
  const script = ['sh', '-euc', SCRIPT, 'sh', files, uid, gid, config.WorkingDir, data, tmpfs]
  const started = startProcess(t, 'setpriv', [...ending, ...isolation, ...script, ...command], {
    env: {
      ...Object.fromEntries(config.Env.map(variable => variable.split(/=(.*)/s).slice(0, 2))),
      ...env
    }
  })
  const children = () => readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, 'utf8').trim()
  const pid = async () => Number(await until(() => children() || undefined, 'process 1 runs'))
  const { exited, saw } = started
  return {
    get output() {
      return started.output
    },
    exited,
    saw,
    pid,
    async stop() {
      process.kill(await pid(), config.StopSignal)
      return exited
    }
  }
}
