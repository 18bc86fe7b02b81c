import { runFiles } from '../helpers/run-files.ts'

const named = ['app', 'client', 'devnet', 'faults', 'operator', 'plugins', 'routes', 'services', 'simulation']
runFiles({ except: named })
