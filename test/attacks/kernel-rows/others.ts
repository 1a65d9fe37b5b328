import { type KernelAttack, rows } from '../kernel-attack.js';

const victim = rows({ confine: {}, effect: 'victim' });
const group = rows({ confine: {}, effect: 'victim', root: true, input: '{VICTIM}\n' });
const secret = rows({ confine: { writes: 'roots' }, effect: 'said', root: true });
const own = rows({ confine: {}, effect: 'said', anywhere: true });
const SCORE = '/proc/self/oom_score_adj';
const FREEZER = '/sys/fs/cgroup/freezer';
const UNIFIED =
  '$(for f in /sys/fs/cgroup /sys/fs/cgroup/unified; do [ -e $f/cgroup.procs ] && [ -e $f/cgroup.controllers ] && echo $f && break; done)';

/** What a command changes of a process of the host, and what it takes of what all share. */
export const OTHER_ATTACKS: readonly KernelAttack[] = [
  secret('shadow', 'hashes of passwords are read', ['bash', '-c', 'read -r line < /etc/shadow && echo done']),
  victim('limit', 'prlimit', ['others', 'limit', '{VICTIM}']),
  victim('limit-int80', 'prlimit by the calls of 32-bit programs', ['others', 'limit-int80', '{VICTIM}']),
  victim('limit-program', 'the program prlimit', ['prlimit', '--pid', '{VICTIM}', '--nofile=19:']),
  victim('affinity', 'sched_setaffinity', ['others', 'affinity', '{VICTIM}']),
  victim('scheduler', 'sched_setscheduler', ['others', 'scheduler', '{VICTIM}']),
  victim('attributes', 'sched_setattr', ['others', 'attributes', '{VICTIM}']),
  victim('nice', 'setpriority', ['others', 'nice', '{VICTIM}']),
  victim('ioprio', 'ioprio_set', ['others', 'ioprio', '{VICTIM}']),
  victim('oom', 'how soon it is ended when memory is short', ['tee', '/proc/{VICTIM}/oom_score_adj'], {
    input: '500\n',
  }),
  victim('coredump', 'what is written of it when it fails', ['tee', '/proc/{VICTIM}/coredump_filter'], {
    input: '1\n',
  }),
  victim('autogroup', 'the weight of its session', ['tee', '/proc/{VICTIM}/autogroup'], { input: '5\n' }),
  own('users', 'a namespace of users', ['others', 'users', '-']),
  own('users-clone3', 'the same by a call whose flags nobody sees', ['others', 'users3', '-']),
  own('users-program', 'the same by a program', ['unshare', '-U', 'echo', 'done'], { allow: ['unshare', 'echo'] }),
  own('score', 'when memory is short it is ended as late as its host', [
    'python3',
    '-c',
    `print("done" if int(open("${SCORE}").read()) < 500 else "sooner")`,
  ]),
  own('score-lowered', 'it says that it is ended later', [
    'python3',
    '-c',
    `open("${SCORE}", "w").write("0"); print("done")`,
  ]),
  group('group-moved', 'into another control group', ['tee', '{WORK}/group/cgroup.procs'], {
    needs: ['tee'],
    setup: `g=${UNIFIED}/handrail-attack-$$; mkdir $g; ln -s $g group`,
    cleanup:
      'cat group/cgroup.procs >left; while read p; do echo $p >group/../cgroup.procs; done <left; rmdir "$(readlink group)"',
  }),
  group('group-killed', 'the control group that it is in is ended', ['tee', '{WORK}/group/cgroup.kill'], {
    setup: `g=${UNIFIED}/handrail-attack-$$; mkdir $g; ln -s $g group; echo {VICTIM} >group/cgroup.procs`,
    input: '1\n',
    cleanup:
      'while ! rmdir "$(readlink group)"; do while read p; do echo $p >group/../cgroup.procs; done <group/cgroup.procs; sleep 0.05; done',
  }),
  group('group-frozen', 'the control group that it is in stands still', ['tee', '{WORK}/group/cgroup.freeze'], {
    setup: `g=${UNIFIED}/handrail-attack-$$; mkdir $g; ln -s $g group; echo {VICTIM} >group/cgroup.procs`,
    input: '1\n',
    cleanup:
      'echo 0 >group/cgroup.freeze; while read p; do echo $p >group/../cgroup.procs; done <group/cgroup.procs; rmdir "$(readlink group)"',
  }),
  group('freezer-moved', 'into a freezer of the older kind', ['tee', '{WORK}/group/cgroup.procs'], {
    setup: `[ -d ${FREEZER} ] && g=${FREEZER}/handrail-attack-$$ && mkdir $g && ln -s $g group`,
    cleanup: `while read p; do echo $p >${FREEZER}/cgroup.procs; done <group/cgroup.procs; rmdir "$(readlink group)"`,
  }),
  group('freezer', 'the older kind stands still', ['tee', '{WORK}/group/freezer.state'], {
    setup: `[ -d ${FREEZER} ] && g=${FREEZER}/handrail-attack-$$ && mkdir $g && ln -s $g group && echo {VICTIM} >group/cgroup.procs`,
    input: 'FROZEN\n',
    cleanup: `echo THAWED >group/freezer.state; while read p; do echo $p >${FREEZER}/cgroup.procs; done <group/cgroup.procs; rmdir "$(readlink group)"`,
  }),
];
