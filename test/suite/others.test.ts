import { runFiles } from '../helpers/run-files.ts'

runFiles({ except: ['app', 'devnet', 'faults', 'operator', 'plugins', 'routes', 'services', 'simulation'] })
