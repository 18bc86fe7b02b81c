import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const STOP_TIMEOUT_MS = 15_000

const Usage = Type.Object({
  /** Milliseconds since the epoch, by the process's own clock. */
  at: Type.Number(),
  /** CPU time of all threads, user and kernel mode. */
  cpuMs: Type.Number(),
  /** Bytes, like `heapUsed`. */
  rss: Type.Number(),
  heapUsed: Type.Number()
})
export type Usage = Static<typeof Usage>

/** A measured process, which sends messages with topics to its parent. */
export interface Child {
  /** Undefined when the process could not be started. */
  readonly pid: number | undefined
  readonly exited: Promise<unknown>
  readonly ended: boolean
  /** The next message with that topic. @throws Error when the process ends before */
  next<T extends TSchema>(topic: string, schema: T): Promise<Static<T>>
  /** Calls the listener with each message of that topic. */
  each<T extends TSchema>(topic: string, schema: T, listener: (message: Static<T>) => void): void
  send(message: { topic: string; [field: string]: unknown }): void
  kill(signal: NodeJS.Signals): void
  /** What it has used since its start. `collect` runs the garbage collector first. */
  usage(options?: { collect?: boolean }): Promise<Usage>
  stop(): Promise<void>
}

export interface ChildOptions {
  /** Arguments of node, including the script. */
  args: string[]
  env: Record<string, string>
  cwd: string
  /** The file that its output goes to. */
  logPath: string
}

/** Starts a node process that reports its usage on request. It is killed when this process ends. */
export function startChild({ args, env, cwd, logPath }: ChildOptions): Child {
  const reporter = fileURLToPath(new URL('usage.js', import.meta.url))
  const log = openSync(logPath, 'a')
  const child = spawn(process.execPath, ['--expose-gc', '--import', reporter, ...args], {
    cwd,
    env,
    stdio: ['ignore', log, log, 'ipc']
  })
  closeSync(log)
  let questions = 0
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit').then(() => process.off('exit', kill))

  function each<T extends TSchema>(topic: string, schema: T, listener: (message: Static<T>) => void) {
    const forTopic = Type.Object({ topic: Type.Literal(topic) })
    const onMessage = (message: unknown) => {
      if (Value.Check(forTopic, message)) listener(Value.Parse(schema, message))
    }
    child.on('message', onMessage)
    return () => child.off('message', onMessage)
  }

  function next<T extends TSchema>(topic: string, schema: T): Promise<Static<T>> {
    return new Promise((resolve, reject) => {
      const off = each(topic, schema, message => {
        off()
        resolve(message)
      })
      exited.then(() => reject(new Error(`${args.at(-1)} ended with ${child.exitCode}; see its log`)))
    })
  }

  return {
    pid: child.pid,
    exited,
    get ended() {
      return hasEnded(child)
    },
    next,
    each,
    send: message => void child.send(message),
    kill: signal => void child.kill(signal),
    usage({ collect = false } = {}) {
      // Each request has its own topic, because a busy process may not have answered the last one yet.
      questions += 1
      const topic = `usage ${questions}`
      const answer = next(topic, Usage)
      child.send({ topic: 'usage', answer: topic, collect })
      return answer
    },
    async stop() {
      if (hasEnded(child)) return
      child.kill('SIGTERM')
      const timer = setTimeout(kill, STOP_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
