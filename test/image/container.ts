import { existsSync, readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { Variables } from '../helpers/app.ts'
import { startProcess } from '../helpers/process.ts'
import { until } from '../helpers/until.ts'
import type { Image } from './buildah.ts'

/** Executes a command as a user and group, with the image's files as read-only root, with mounts and devices. */
const SCRIPT = `
root=$1 uid=$2 gid=$3 work=$4 data=$5 tmpfs=$6 secrets=$7
shift 7
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
if [ -n "$data" ]; then mount --bind "$data" "$root/app/data"; fi
if [ -n "$tmpfs" ]; then mount -t tmpfs tmpfs "$root$tmpfs"; fi
if [ -n "$secrets" ]; then mkdir -p "$root/run/secrets"; mount --bind "$secrets" "$root/run/secrets"; fi
mount -o remount,bind,ro "$root"
exec unshare --root "$root" --wd "$work" --setgid "$gid" --setuid "$uid" -- "$@"
`

export interface ContainerOptions {
  env?: Variables
  /** UID:GID; the image's user when omitted. */
  user?: string
  /** Folder to mount as the volume, owned by the image's user. */
  data?: string
  /** Path of an empty in-memory folder. */
  tmpfs?: string
  /** Folder to mount as `/run/secrets`. */
  secrets?: string
  command?: string[]
}

/**
 * Runs an image's command like a hardened container on the host's network: as process 1 and the image's user, without
 * capabilities or a way to gain them, on a read-only root. It is killed when the test ends.
 */
export function runImage(t: Test, { config, files }: Image, options: ContainerOptions = {}) {
  const { env = {}, user = config.User, data = '', tmpfs = '', secrets = '' } = options
  const { command = [...(config.Entrypoint ?? []), ...config.Cmd] } = options
  const [uid = '', gid = ''] = user.split(':')
  const ending = ['--pdeathsig', 'KILL', '--no-new-privs']
  const isolation = ['unshare', '--mount', '--pid', '--fork', '--kill-child']
  const script = ['sh', '-euc', SCRIPT, 'sh', files, uid, gid, config.WorkingDir, data, tmpfs, secrets]
  const ofImage = Object.fromEntries(config.Env.map(variable => variable.split(/=(.*)/s).slice(0, 2)))
  const words = [...ending, ...isolation, ...script, ...command]
  const started = startProcess(t, 'setpriv', words, { env: { ...ofImage, ...env } })
  const children = () => readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, 'utf8').trim()
  // Process 1 outlives `unshare`, because a change of user clears the signal that the end of its parent sends.
  t.teardown(() => {
    if (existsSync(`/proc/${started.pid}`) && children() !== '') process.kill(Number(children()), 'SIGKILL')
  })
  const pid = async () => Number(await until(() => children() || undefined, 'process 1 runs'))
  const { exited, saw } = started
  return {
    exited,
    saw,
    pid,
    /** Sends the image's stop signal to process 1 and waits for the exit. @returns the exit code */
    async stop() {
      process.kill(await pid(), config.StopSignal)
      return exited
    }
  }
}
