import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Lab } from '../lab.ts'

/** Timeout for stopping a process. Far longer than a server needs to stop, even on a busy machine. */
const STOP_MS = 120_000

/** Number of characters to show from the end of a failed process's log. */
const SHOWN = 4000

const Usage = Type.Object({
  /** CPU time of all threads since the start, in user and kernel mode, in milliseconds. */
  cpuMs: Type.Number(),
  /** Resident memory in bytes. */
  rss: Type.Number()
})
export type Usage = Static<typeof Usage>

/** A measured process. It sends messages with topics to its parent. */
export interface Child {
  readonly pid: number | undefined
  readonly logPath: string
  /** Rejects with the end of the process's log when the process exits. */
  readonly failure: Promise<never>
  /** Waits for the next message with this topic. @throws Error when the process exits first */
  next<T extends TSchema>(topic: string, schema: T): Promise<Static<T>>
  each<T extends TSchema>(topic: string, schema: T, listener: (message: Static<T>) => void): void
  /** Reads the resource usage. `collect` runs the garbage collector first. */
  usage(options?: { collect?: boolean }): Promise<Usage>
  /** Ends the process and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Returns the path of a bundled script. */
export const script = (name: string) => join(import.meta.dirname, `${name}.js`)

let started = 0

/** Starts a Node process that reports its usage on request. The process is stopped when the benchmark ends. */
export function startChild({ directory, teardown }: Lab, args: string[], env: Record<string, string>): Child {
  started += 1
  const logPath = join(directory, `process-${started}.log`)
  const log = openSync(logPath, 'a')
  const child = spawn(process.execPath, ['--expose-gc', '--import', script('usage'), ...args], {
    cwd: directory,
    env,
    stdio: ['ignore', log, log, 'ipc']
  })
  closeSync(log)
  let questions = 0
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit').then(() => process.off('exit', kill))
  const failure = exited.then((): never => {
    const end = readFileSync(logPath, 'utf8').slice(-SHOWN)
    throw new Error(`${args.join(' ')} exited with ${child.exitCode ?? child.signalCode}: ${end}`)
  })
  failure.catch(() => {})

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
      failure.catch(reject)
    })
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    child.kill(signal)
    const timer = setTimeout(kill, STOP_MS)
    await exited
    clearTimeout(timer)
  }

  teardown(() => stop())
  return {
    pid: child.pid,
    logPath,
    failure,
    next,
    each,
    usage({ collect = false } = {}) {
      // Give each request its own topic, because a busy process might not have responded to the previous request yet.
      questions += 1
      const topic = `usage ${questions}`
      const usage = next(topic, Usage)
      child.send({ topic, collect })
      return usage
    },
    stop
  }
}
