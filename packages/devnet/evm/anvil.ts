import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { endingWithStdin } from '../ending-with-stdin.ts'

export const NO_ANVIL = `there is no EVM node for ${process.platform} on ${process.arch} (package @foundry-rs/anvil)`

/** Returns the path of the node's program, or undefined if its package for this platform is not installed. */
export function anvilPath(): string | undefined {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    const near = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'))
    return near.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
  } catch {
    return undefined
  }
}

/** Starts a node on a free port. It ends with this process, even if that is killed. @throws Error when it exits early */
export async function startAnvil(path: string, chainId: number, host: string) {
  const words = ['--chain-id', String(chainId), '--host', host, '--port', '0', '--accounts', '1']
  const child = spawn('sh', endingWithStdin('KILL', path, ...words), { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const listening = new Promise<string>(resolve => {
    createInterface(child.stdout).on('line', line => {
      const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
  })
  const failed = exited.then(() => {
    throw new Error(`the EVM node of chain ${chainId} exited`)
  })
  return {
    url: await Promise.race([listening, failed]),
    async stop(): Promise<void> {
      child.stdin.end()
      await exited
    }
  }
}
