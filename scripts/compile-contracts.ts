import { readFileSync } from 'node:fs'
import solc from 'solc'

// Prints the creation code of each contract in a file. `npm run contracts` writes that of the development network's tokens.

const [path = 'packages/devnet/evm/contracts/Tokens.sol'] = process.argv.slice(2)

const input = {
  language: 'Solidity',
  sources: { [path]: { content: readFileSync(path, 'utf8') } },
  settings: {
    optimizer: { enabled: true },
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } }
  }
}
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
for (const { severity, formattedMessage } of errors)
  if (severity === 'error') throw new Error(formattedMessage)
const compiled: [string, { evm: { bytecode: { object: string } } }][] = Object.entries(contracts[path])
const codes = compiled.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`])
process.stdout.write(JSON.stringify(Object.fromEntries(codes.filter(([, code]) => code !== '0x'))))
