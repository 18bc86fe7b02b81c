import { freePort } from '../../packages/devnet/free-port.ts'
import { evaluating, run } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const HOST = '127.0.0.1'

/** Returns a program that calls `freePort` with `crypto.randomInt` stubbed to return `port`. */
const lookingFrom = (port: number) => `
  import crypto from 'node:crypto'
  import { syncBuiltinESMExports } from 'node:module'
  crypto.randomInt = () => ${port}
  syncBuiltinESMExports()
  const { freePort } = await import('${new URL('../../packages/devnet/free-port.ts', import.meta.url)}')
  console.log(await freePort('${HOST}'))`

test('freePort returns different ports to different processes, even before they listen', async t => {
  const port = await freePort(HOST)
  const output = await run(process.execPath, evaluating(lookingFrom(port)))
  t.match(output, /^\d+\n$/)
  t.not(Number(output), port)
})
