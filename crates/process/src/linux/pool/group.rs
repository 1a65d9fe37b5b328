//! The workers that have installed the same plan, and the starts that wait for one of them.

use std::collections::VecDeque;
use std::sync::Arc;

use handrail_policy::Enforced;
use handrail_supervisor::message::{Enforcement, Kind, Plan, Reach, ToSupervisor};

use super::{MAX_IDLE_WORKERS, PendingStart, Pool, SPARE_WORKERS};
use crate::capability::Capability;
use crate::linux::expected_enforcement::ExpectedEnforcement;

/// Most different plans of one engine.
pub(crate) const MAX_PLANS: usize = 1024;

#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Group {
    pub(crate) plan: Arc<Plan>,
    /// Whether the supervisor knows the plan.
    pub(super) is_announced: bool,
    /// The numbers of idle workers.
    pub(super) idle: Vec<u32>,
    /// How many workers the supervisor was asked for and has not made yet.
    pub(super) requested: usize,
    /// How many of those will be made with the plan as it was before it was renewed.
    pub(super) outdated: usize,
    /// How often the plan was renewed.
    pub(super) renewal: u32,
    /// Whether commands run or sessions are opened under this plan, so that a worker is kept ready.
    keeps_spare: bool,
    /// Whether a worker is wanted although nothing waits for it: for its report of what it enforces.
    needs_report: bool,
    waiting_runs: VecDeque<PendingStart>,
    /// Sessions and services that wait for a worker. They come first: their workers do not count among those of runs.
    waiting_live: VecDeque<PendingStart>,
    /// What its workers reported that they enforce.
    pub(crate) enforcement: Option<Enforcement>,
    /// The same as lines for results.
    pub(crate) installed: Arc<[String]>,
    /// Whether the owner of its plan is closed, so that another plan may have its number.
    is_retired: bool,
    /// What judgements have relied on, once one has relied on anything.
    required: Option<(Enforced, Arc<ExpectedEnforcement>)>,
}

impl Group {
    fn new(plan: &Arc<Plan>) -> Group {
        Group {
            plan: Arc::clone(plan),
            is_announced: false,
            idle: Vec::new(),
            requested: 0,
            outdated: 0,
            renewal: 0,
            keeps_spare: false,
            needs_report: false,
            waiting_runs: VecDeque::new(),
            waiting_live: VecDeque::new(),
            enforcement: None,
            installed: Arc::default(),
            is_retired: false,
            required: None,
        }
    }

    pub(super) fn waiting_count(&self) -> usize {
        self.waiting_runs.len() + self.waiting_live.len()
    }

    /// A worker of this group reported what it enforces.
    pub(super) fn set_enforcement(&mut self, enforcement: Enforcement) {
        if self.enforcement.as_ref() != Some(&enforcement) {
            self.installed = Capability::installed(&enforcement, &self.plan).into();
            self.enforcement = Some(enforcement);
        }
    }

    /// The message about the plan that the supervisor needs before it is asked for a worker.
    pub(super) fn announcement(&self, number: u32) -> Vec<u8> {
        ToSupervisor::Plan { number, plan: Plan::clone(&self.plan) }.encode()
    }

    /// The supervisor is gone; the next one knows nothing of this plan.
    pub(super) fn forget_supervisor(&mut self) {
        self.is_announced = false;
        self.requested = 0;
        self.outdated = 0;
        self.idle.clear();
    }

    pub(super) fn enqueue(&mut self, pending: PendingStart) {
        // A caller's workers are started as they are needed: there may be many callers.
        self.keeps_spare |= pending.start.kind != Kind::Service
            && self.plan.spill.is_none()
            && self.plan.layer.is_none();
        if pending.has_own_quota {
            self.waiting_live.push_back(pending);
        } else {
            self.waiting_runs.push_back(pending);
        }
    }

    /// Puts a start that failed for now back in front of the queue.
    pub(super) fn put_back(&mut self, pending: PendingStart) {
        if pending.has_own_quota {
            self.waiting_live.push_front(pending);
        } else {
            self.waiting_runs.push_front(pending);
        }
    }

    pub(super) fn withdraw(&mut self, run: u64) -> bool {
        let before = self.waiting_count();
        self.waiting_runs.retain(|pending| pending.start.run != run);
        self.waiting_live.retain(|pending| pending.start.run != run);
        before != self.waiting_count()
    }

    pub(super) fn waiting_ids(&self) -> Vec<u64> {
        self.waiting_runs
            .iter()
            .chain(&self.waiting_live)
            .map(|pending| pending.start.run)
            .collect()
    }

    pub(super) fn is_idle_enough(&self) -> bool {
        let most = match &self.plan {
            // The layer has the files of one program.
            plan if plan.layer.is_some() => 0,
            plan if plan.spill.is_some() => 1,
            _ => MAX_IDLE_WORKERS,
        };
        self.idle.len() >= most && self.waiting_count() == 0
    }

    /// The id of the start that waits longest: later ones have higher ids.
    pub(super) fn oldest_id(&self) -> Option<u64> {
        let first = |queue: &VecDeque<PendingStart>| queue.front().map(|pending| pending.start.run);
        first(&self.waiting_runs).into_iter().chain(first(&self.waiting_live)).min()
    }

    /// Whether more starts wait than workers are idle or requested.
    pub(super) fn needs_workers(&self) -> bool {
        self.waiting_count() > self.idle.len() + self.requested
    }

    /// Takes the next start: sessions, services and jobs come first, then a run if one more may run.
    pub(super) fn take_next(&mut self, may_run: bool) -> Option<PendingStart> {
        let live = self.waiting_live.pop_front();
        live.or_else(|| if may_run { self.waiting_runs.pop_front() } else { None })
    }

    /// How many more workers are needed, the one that is kept ready included.
    pub(super) fn missing_workers(&self) -> usize {
        let spare = if self.keeps_spare { SPARE_WORKERS } else { 0 };
        let wanted = self.waiting_count() + spare;
        wanted.max(usize::from(self.needs_report)).saturating_sub(self.idle.len() + self.requested)
    }
}

impl Pool {
    /// The number of a plan, by which its workers are requested; `None` when there are too many plans.
    pub(crate) fn number_of(&mut self, plan: &Arc<Plan>) -> Option<u32> {
        let has_plan = |group: &Group| Arc::ptr_eq(&group.plan, plan) || group.plan == *plan;
        let known = self.groups.iter().position(has_plan).or_else(|| self.renew(plan));
        let known = known.or_else(|| {
            if let Some(free) = self.unused_plan() {
                self.groups[free] = Group::new(plan);
                return Some(free);
            }
            if self.groups.len() == MAX_PLANS {
                return None;
            }
            self.groups.push(Group::new(plan));
            Some(self.groups.len() - 1)
        });
        known.and_then(|index| u32::try_from(index).ok())
    }

    /// A plan whose owner is closed, and of which no worker is left or on its way.
    fn unused_plan(&self) -> Option<usize> {
        let has_worker = |index: usize| {
            self.workers.values().any(|worker| usize::try_from(worker.plan) == Ok(index))
        };
        (0..self.groups.len()).find(|&index| {
            let group = &self.groups[index];
            group.is_retired
                && group.requested == 0
                && group.waiting_count() == 0
                && !has_worker(index)
        })
    }

    /// The only program of a plan with a layer is over, or was not started.
    pub(crate) fn retire_layered(&mut self, number: u32) {
        if let Some(group) = self.group_mut(number).filter(|group| group.plan.layer.is_some()) {
            group.is_retired = true;
        }
    }

    /// The owner of a network namespace is closed. Lets its idle workers go.
    pub(super) fn retire_plans_of(&mut self, network: u32) {
        for group in &mut self.groups {
            if group.plan.network == Reach::Own(network) {
                group.is_retired = true;
                group.keeps_spare = false;
                for number in group.idle.drain(..) {
                    // Closing a worker's socket is what tells it to end.
                    self.workers.remove(&number);
                }
            }
        }
    }

    /// Replaces a plan by one whose protected places were looked up again. Its workers are let go once they are idle. Gives the
    /// number that both plans have.
    fn renew(&mut self, plan: &Arc<Plan>) -> Option<usize> {
        let index = self.groups.iter().position(|group| plan.is_renewal_of(&group.plan))?;
        let group = &mut self.groups[index];
        group.plan = Arc::clone(plan);
        group.is_announced = false;
        group.outdated = group.requested;
        group.renewal = group.renewal.wrapping_add(1);
        for number in group.idle.split_off(0) {
            self.workers.remove(&number);
        }
        Some(index)
    }

    pub(crate) fn group(&self, number: u32) -> Option<&Group> {
        self.groups.get(number as usize)
    }

    /// From now on a worker of this plan that enforces less than is needed is refused. False where one has been accepted
    /// already.
    pub(crate) fn require(
        &mut self,
        number: u32,
        needs: Enforced,
        expected: &Arc<ExpectedEnforcement>,
    ) -> bool {
        let Some(group) = self.group_mut(number) else { return false };
        let before = group.required.as_ref().map_or(Enforced::NOTHING, |(before, _)| *before);
        group.required = Some((before.union(needs), Arc::clone(expected)));
        let known = group.enforcement.as_ref();
        let falls_short =
            known.is_some_and(|known| !Capability::are_enforced(needs, known, &group.plan));
        if falls_short {
            expected.record_shortfall();
        }
        !falls_short
    }

    /// Whether a new worker enforces less than earlier ones of its plan, or than a judgement relied on.
    pub(crate) fn falls_short(&self, number: u32, found: &Enforcement) -> bool {
        let Some(group) = self.group(number) else { return false };
        if group.plan.layer.is_some() && !found.namespace {
            return true;
        }
        if let Some((needs, expected)) = &group.required
            && !Capability::are_enforced(*needs, found, &group.plan)
        {
            expected.record_shortfall();
            return true;
        }
        group.enforcement.as_ref().is_some_and(|before| {
            (before.namespace && !found.namespace)
                || (before.own_processes && !found.own_processes)
                || (before.loaders_bound && !found.loaders_bound)
                || (before.filtered && !found.filtered)
                || (before.own_network && !found.own_network)
        })
    }

    /// Requests a worker of this plan for its report of what it enforces.
    pub(crate) fn request_report(&mut self, number: u32) {
        if let Some(group) = self.group_mut(number) {
            group.needs_report = true;
        }
        self.request_workers();
    }

    pub(super) fn group_mut(&mut self, number: u32) -> Option<&mut Group> {
        self.groups.get_mut(number as usize)
    }
}
