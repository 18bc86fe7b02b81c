import { readFileSync } from 'node:fs'
import solc from 'solc'

// Prints the creation code of each token, as in tokens.json, which `npm run contracts` writes.

const FILE = 'Tokens.sol'

const input = {
  language: 'Solidity',
  sources: { [FILE]: { content: readFileSync(new URL(`contracts/${FILE}`, import.meta.url), 'utf8') } },
  settings: {
    optimizer: { enabled: true },
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } }
  }
}
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
for (const { severity, formattedMessage } of errors)
  if (severity === 'error') throw new Error(formattedMessage)
const compiled: [string, { evm: { bytecode: { object: string } } }][] = Object.entries(contracts[FILE])
const codes = compiled.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`])
process.stdout.write(JSON.stringify(Object.fromEntries(codes.filter(([, code]) => code !== '0x'))))
