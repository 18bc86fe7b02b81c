#!/usr/bin/env node
import { terminalLines } from '../../services/errors/shown.ts'
import { run } from './run.ts'

const output = {
  width: process.stdout.columns,
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  log: (fields: object) => {
    process.stderr.write(terminalLines(JSON.stringify({ time: new Date().toISOString(), ...fields })))
  }
}

// A program that reads the output, such as `head`, may end first. A command still finishes, and writes its audit line.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await run(process.argv.slice(2), output, { env: process.env, envFile: '.env' })
