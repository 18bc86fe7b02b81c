import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { endingWithStdin } from '../ending-with-stdin.ts'

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

export const NO_ANVIL = `the package @foundry-rs/anvil has no EVM node for ${process.platform} on ${process.arch}`

/** Returns the path of the node's program, or undefined if its package for this platform is not installed. */
export function anvilPath(): string | undefined {
  const { platform, arch } = process
  const suffix = platform === 'win32' ? '.exe' : ''
  try {
    const near = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'))
    return near.resolve(`@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch]}/bin/anvil${suffix}`)
  } catch {
    return undefined
  }
}

export interface Anvil {
  url: string
  stop(): Promise<void>
}

/**
 * Starts a node on a free port. It ends with this process, even if that is killed.
 * @throws Error with the node's output when it exits early
 */
export async function startAnvil(path: string, chainId: number, host: string): Promise<Anvil> {
  const words = ['--chain-id', String(chainId), '--host', host, '--port', '0', '--accounts', '1']
  const [command, args] =
    process.platform === 'win32' ? [path, words] : ['sh', endingWithStdin('KILL', path, ...words)]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  const exited = once(child, 'exit').finally(() => process.off('exit', kill))
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const lines = createInterface(child.stdout)
  const listening = new Promise<string>(resolve => {
    lines.on('line', line => {
      const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
  })
  async function stop(): Promise<void> {
    child.stdin.end()
    if (process.platform === 'win32') child.kill()
    await exited
  }

  const url = await Promise.race([
    listening,
    exited.then(() => {
      throw new Error(`the EVM node of chain ${chainId} exited: ${output.trim()}`)
    })
  ])
  return { url, stop }
}
