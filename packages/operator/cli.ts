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

process.exitCode = await run(process.argv.slice(2), output, { env: process.env, envFile: '.env' })
