// Made from guard-program.ts by guard-text.test.ts.

export const GUARD_TEXT: string = `let node_fs = require("node:fs");
let node_child_process = require("node:child_process");
// marker.ts
const RUN_ID_VARIABLE = "TAILRACE_RUN_ID";
const OUTER_RUNS_VARIABLE = "TAILRACE_OUTER_RUNS";
function isMarked(environment, runId) {
	const framed = \`\\0\${environment}\\0\`;
	if (framed.includes(\`\\0TAILRACE_RUN_ID=\${runId}\\0\`)) return true;
	const from = framed.indexOf(\`\\0\${OUTER_RUNS_VARIABLE}=\`);
	if (from < 0) return false;
	return framed.slice(from + 19 + 2, framed.indexOf("\\0", from + 1)).split(":").includes(runId);
}
// proc.ts
function parseStat(text) {
	const nameEnd = text.lastIndexOf(")");
	const pid = Number.parseInt(text, 10);
	const fields = text.slice(nameEnd + 2).split(" ");
	const [state, parent, group] = fields;
	const startTime = fields[19];
	if (nameEnd < 0 || !Number.isSafeInteger(pid) || startTime === void 0) return void 0;
	const isZombie = state === "Z" || state === "X" || state === "x";
	return {
		pid,
		parent: Number(parent),
		group: Number(group),
		startTime,
		isZombie
	};
}
const procTable = {
	list: () => namesIn("/proc").flatMap((name) => /^\\d+$/.test(name) ? readEntry(name) ?? [] : []),
	startTimeOf(pid) {
		const entry = readEntry(String(pid));
		return entry === void 0 || entry.isZombie ? void 0 : entry.startTime;
	},
	childrenOf: (pid) => namesIn(\`/proc/\${pid}/task\`).flatMap((thread) => readOrNothing(\`/proc/\${pid}/task/\${thread}/children\`).split(" ").flatMap((child) => child === "" ? [] : Number(child)))
};
function readEntry(pid) {
	const stat = parseStat(readOrNothing(\`/proc/\${pid}/stat\`));
	return stat && {
		...stat,
		hasMarker: (runId) => isMarked(readOrNothing(\`/proc/\${pid}/environ\`), runId)
	};
}
function readOrNothing(file) {
	try {
		return (0, node_fs.readFileSync)(file, "latin1");
	} catch {
		return "";
	}
}
function namesIn(folder) {
	try {
		return (0, node_fs.readdirSync)(folder);
	} catch {
		return [];
	}
}
// ps.ts
function psArguments(platform, pid) {
	const whom = pid === void 0 ? ["-A"] : ["-p", String(pid)];
	const columns = [
		"pid=",
		"ppid=",
		"pgid=",
		"stat=",
		"lstart=",
		"command="
	].flatMap((column) => ["-o", column]);
	return platform === "darwin" ? [
		...whom,
		"-E",
		"-ww",
		...columns
	] : [
		"eww",
		...whom,
		...columns
	];
}
function parsePs(text) {
	return text.split("\\n").flatMap((line) => {
		const [pid, parent, group, state = "", weekday, month, day, time, year, ...command] = line.trim().split(/\\s+/);
		const numbers = [
			pid,
			parent,
			group
		].map(Number);
		if (year === void 0 || !numbers.every(Number.isSafeInteger)) return [];
		const marks = command.filter((word) => MARKS.some((name) => word.startsWith(name)));
		return {
			pid: Number(pid),
			parent: Number(parent),
			group: Number(group),
			startTime: [
				weekday,
				month,
				day,
				time,
				year
			].join(" "),
			isZombie: state.startsWith("Z"),
			hasMarker: (runId) => marks.some((mark) => isMarked(mark, runId))
		};
	});
}
function psTable(platform) {
	const ask = (pid) => {
		const { stdout } = (0, node_child_process.spawnSync)("/bin/ps", psArguments(platform, pid), {
			encoding: "latin1",
			env: { LC_ALL: "C" },
			maxBuffer: MAX_TEXT,
			stdio: [
				"ignore",
				"pipe",
				"ignore"
			],
			timeout: LIMIT$1
		});
		return parsePs(stdout ?? "");
	};
	return {
		list: () => ask(),
		startTimeOf(pid) {
			const entry = ask(pid).find((one) => one.pid === pid);
			return entry === void 0 || entry.isZombie ? void 0 : entry.startTime;
		}
	};
}
const MARKS = [\`\${RUN_ID_VARIABLE}=\`, \`\${OUTER_RUNS_VARIABLE}=\`];
const LIMIT$1 = 2e3;
const MAX_TEXT = 67108864;
// table.ts
const systemTable = process.platform === "linux" ? procTable : psTable(process.platform);
// follow.ts
function followDescendants(remembered, table = systemTable) {
	if (!table.childrenOf) return;
	for (const [pid, startTime] of remembered) {
		const children = table.childrenOf(pid).map((child) => [child, table.startTimeOf(child)]);
		if (table.startTimeOf(pid) !== startTime) {
			remembered.delete(pid);
			continue;
		}
		for (const [child, childStart] of children) if (childStart !== void 0) remembered.set(child, childStart);
	}
}
// ../clock.ts
const systemClock = {
	now: () => Date.now(),
	after(milliseconds, act) {
		const timer = setTimeout(act, milliseconds);
		return () => clearTimeout(timer);
	}
};
// targets.ts
function findTargets(list, run, self, remembered = new Map()) {
	const { agent, runId } = run;
	const leader = agent && list.find(({ pid }) => pid === agent.pid);
	const hasGroup = agent !== void 0 && (leader === void 0 || leader.startTime === agent.startTime);
	const isOwn = (process) => remembered.get(process.pid) === process.startTime || hasGroup && process.group === agent.pid || process.pid === agent?.pid && process.startTime === agent.startTime || process.hasMarker(runId);
	const children = new Map();
	for (const process of list) {
		const siblings = children.get(process.parent);
		if (siblings) siblings.push(process);
		else children.set(process.parent, [process]);
	}
	const found = new Map();
	const waiting = list.filter((process) => process.pid > 1 && process.pid !== self && !process.isZombie && isOwn(process));
	for (let process = waiting.pop(); process; process = waiting.pop()) {
		if (found.has(process.pid)) continue;
		found.set(process.pid, process);
		remembered.set(process.pid, process.startTime);
		for (const child of children.get(process.pid) ?? []) if (child.pid > 1 && child.pid !== self && !child.isZombie) waiting.push(child);
	}
	return [...found.values()];
}
// windows-tree.ts
function treeCommand(pid, env) {
	if (pid === void 0 || !Number.isSafeInteger(pid) || pid <= 4) return void 0;
	return {
		file: \`\${env["SystemRoot"] ?? env["SYSTEMROOT"] ?? "C:\\\\Windows"}\\\\System32\\\\taskkill.exe\`,
		args: [
			"/PID",
			String(pid),
			"/T",
			"/F"
		]
	};
}
function endTree(run) {
	const command = treeCommand(run.agent?.pid, process.env);
	if (command === void 0) return {
		signalled: 0,
		left: []
	};
	const { status } = (0, node_child_process.spawnSync)(command.file, command.args, {
		stdio: "ignore",
		timeout: 5e3,
		windowsHide: true
	});
	return {
		signalled: status === 0 ? 1 : 0,
		left: []
	};
}
// terminate.ts
function sweep(run, options = {}) {
	const { clock = systemClock, table = systemTable, spare = () => false } = options;
	const { patience = PATIENCE, limit = LIMIT, atLeast = 0, remembered = new Map() } = options;
	if (process.platform === "win32") return Promise.resolve(endTree(run));
	const began = clock.now();
	const told = new Set();
	const untouchable = new Set();
	const look = () => findTargets(table.list(), run, process.pid, remembered).filter((entry) => !spare(entry) && !untouchable.has(nameOf(entry)));
	const signal = (entry, which) => {
		if (table.startTimeOf(entry.pid) !== entry.startTime) return;
		if (send(entry.pid, which) === "refused") untouchable.add(nameOf(entry));
	};
	const kill = () => {
		const stopped = new Set();
		let found = look();
		for (let round = 0; round < MAX_ROUNDS && found.some((entry) => !stopped.has(nameOf(entry))); round += 1) {
			for (const entry of found) {
				if (!stopped.has(nameOf(entry))) signal(entry, "SIGSTOP");
				stopped.add(nameOf(entry));
			}
			found = look();
		}
		for (const entry of found) signal(entry, "SIGKILL");
		return found;
	};
	const ask = () => {
		const found = look();
		for (const entry of found) if (!told.has(nameOf(entry))) signal(entry, "SIGTERM");
		return found;
	};
	return new Promise((resolve) => {
		let quiet = 0;
		const turn = () => {
			const found = clock.now() - began >= patience ? kill() : ask();
			for (const entry of found) told.add(nameOf(entry));
			quiet = found.length === 0 ? quiet + 1 : 0;
			const passed = clock.now() - began;
			if (quiet >= 2 && passed >= atLeast || passed >= limit) resolve({
				signalled: told.size,
				left: leftOf(found)
			});
			else clock.after(PAUSE, turn);
		};
		const leftOf = (found) => [...found.map(({ pid, startTime }) => ({
			pid,
			startTime
		})), ...[...untouchable].map(parseName).filter(({ pid, startTime }) => table.startTimeOf(pid) === startTime)];
		turn();
	});
}
const MAX_ROUNDS = 10;
const PAUSE = 25;
const PATIENCE = 2e3;
const LIMIT = 1e4;
const nameOf = ({ pid, startTime }) => \`\${pid} \${startTime}\`;
function parseName(name) {
	const space = name.indexOf(" ");
	return {
		pid: Number(name.slice(0, space)),
		startTime: name.slice(space + 1)
	};
}
function send(pid, signal) {
	try {
		process.kill(pid, signal);
		return "sent";
	} catch (error) {
		return error.code === "EPERM" ? "refused" : "gone";
	}
}
// guard-program.ts
const FOLLOW_EVERY = 1e3;
const runId = process.argv[1] ?? "";
const remembered = new Map();
let agent;
let rest = "";
let isOver = false;
process.title = "tailrace-guard";
for (const signal of [
	"SIGINT",
	"SIGTERM",
	"SIGHUP",
	"SIGQUIT"
]) process.on(signal, () => {});
process.stdin.setEncoding("latin1");
process.stdin.on("data", (text) => {
	const lines = (rest + text).split("\\n");
	rest = lines.pop() ?? "";
	for (const line of lines) hear(line);
});
for (const end of [
	"end",
	"error",
	"close"
]) process.stdin.on(end, endRun);
setInterval(() => followDescendants(remembered), FOLLOW_EVERY).unref();
function hear(line) {
	if (line === "release") process.exit(0);
	const [, pid, startTime] = /^agent (\\d+) (.+)$/.exec(line) ?? [];
	if (pid === void 0 || startTime === void 0) return;
	agent = {
		pid: Number(pid),
		startTime
	};
	remembered.set(agent.pid, startTime);
}
function endRun() {
	if (isOver) return;
	isOver = true;
	sweep({
		runId,
		agent
	}, {
		patience: 0,
		atLeast: 500,
		limit: 1e4,
		remembered
	}).then(() => process.exit(0));
}
`;
