//! The workers that have installed the same plan, and what waits for one of them.

use std::collections::VecDeque;
use std::sync::Arc;

use handrail_supervisor::message::{Enforcement, Kind, Plan, ToSupervisor};

use super::{MAX_IDLE_WORKERS, PendingStart, Pool, SPARE_WORKERS};
use crate::capability::Capability;
use crate::linux::expected_enforcement::ExpectedEnforcement;

/// Different plans of one engine.
pub(crate) const MAX_PLANS: usize = 1024;

pub(crate) struct Group {
    pub(crate) plan: Arc<Plan>,
    /// Whether the supervisor knows the plan.
    pub(super) announced: bool,
    pub(super) idle: Vec<u32>,
    pub(super) requested: usize,
    /// Whether commands run under this plan.
    has_runs: bool,
    /// Workers that are wanted although nothing waits for them: to see what they enforce.
    pub(crate) asked: usize,
    waiting: VecDeque<PendingStart>,
    /// Sessions and services that wait for a worker. They come first: they have workers of their own.
    waiting_live: VecDeque<PendingStart>,
    /// What its workers said that they enforce.
    pub(crate) enforcement: Option<Enforcement>,
    /// The same for results.
    pub(crate) installed: Arc<[String]>,
    /// Present once a judgement has relied on commands being limited to the listed programs.
    requires_list: Option<Arc<ExpectedEnforcement>>,
}

impl Group {
    fn new(plan: &Arc<Plan>) -> Group {
        Group {
            plan: Arc::clone(plan),
            announced: false,
            idle: Vec::new(),
            requested: 0,
            has_runs: false,
            asked: 0,
            waiting: VecDeque::new(),
            waiting_live: VecDeque::new(),
            enforcement: None,
            installed: Arc::default(),
            requires_list: None,
        }
    }

    pub(super) fn waits(&self) -> usize {
        self.waiting.len() + self.waiting_live.len()
    }

    /// A worker of this group said what it enforces.
    pub(super) fn hear(&mut self, enforcement: Enforcement) {
        if self.enforcement.as_ref() != Some(&enforcement) {
            self.installed = Capability::installed(&enforcement, &self.plan).into();
            self.enforcement = Some(enforcement);
        }
    }

    /// What the supervisor has to hear before it is asked for a worker.
    pub(super) fn announcement(&self, number: u32) -> Vec<u8> {
        ToSupervisor::Plan { number, plan: Plan::clone(&self.plan) }.encode()
    }

    /// Another supervisor will have to be told everything anew.
    pub(super) fn forget_supervisor(&mut self) {
        self.announced = false;
        self.requested = 0;
        self.idle.clear();
    }

    pub(super) fn wait(&mut self, launch: PendingStart) {
        if launch.start.kind == Kind::Run {
            self.has_runs = true;
            self.waiting.push_back(launch);
        } else {
            self.waiting_live.push_back(launch);
        }
    }

    /// It could not be started now.
    pub(super) fn put_back(&mut self, launch: PendingStart) {
        match launch.start.kind {
            Kind::Run => self.waiting.push_front(launch),
            _ => self.waiting_live.push_front(launch),
        }
    }

    pub(super) fn withdraw(&mut self, run: u64) -> bool {
        let before = self.waits();
        self.waiting.retain(|launch| launch.start.run != run);
        self.waiting_live.retain(|launch| launch.start.run != run);
        before != self.waits()
    }

    pub(super) fn waiting_runs(&self) -> Vec<u64> {
        self.waiting.iter().chain(&self.waiting_live).map(|launch| launch.start.run).collect()
    }

    pub(super) fn is_idle_enough(&self) -> bool {
        self.idle.len() >= MAX_IDLE_WORKERS && self.waits() == 0
    }

    /// What waits longest: later runs have higher numbers.
    pub(super) fn oldest(&self) -> Option<u64> {
        let first = |queue: &VecDeque<PendingStart>| queue.front().map(|launch| launch.start.run);
        first(&self.waiting).into_iter().chain(first(&self.waiting_live)).min()
    }

    /// Whether something waits that no worker is on its way for.
    pub(super) fn lacks(&self) -> bool {
        self.waits() > self.idle.len() + self.requested
    }

    /// The next program to start: sessions and services come first, runs where one more may be.
    pub(super) fn next(&mut self, may_run: bool) -> Option<PendingStart> {
        let live = self.waiting_live.pop_front();
        live.or_else(|| if may_run { self.waiting.pop_front() } else { None })
    }

    /// How many workers are missing, the one that is kept ready included.
    pub(super) fn missing(&self) -> usize {
        let ready = if self.has_runs { SPARE_WORKERS } else { 0 };
        let wanted = self.waits() + ready;
        wanted.max(self.asked).saturating_sub(self.idle.len() + self.requested)
    }
}

impl Pool {
    /// The number of a plan, by which its workers are asked for; `None` when there are too many.
    pub(crate) fn number_of(&mut self, plan: &Arc<Plan>) -> Option<u32> {
        let is = |group: &Group| Arc::ptr_eq(&group.plan, plan) || group.plan == *plan;
        let known = self.groups.iter().position(is).or_else(|| {
            (self.groups.len() < MAX_PLANS).then(|| {
                self.groups.push(Group::new(plan));
                self.groups.len() - 1
            })
        });
        known.and_then(|index| u32::try_from(index).ok())
    }

    pub(crate) fn group(&self, number: u32) -> Option<&Group> {
        self.groups.get(number as usize)
    }

    /// From now on a worker of this plan that does not limit commands to its list of programs is refused. False where one
    /// has been accepted already.
    pub(crate) fn require_list(
        &mut self,
        number: u32,
        expected: &Arc<ExpectedEnforcement>,
    ) -> bool {
        let Some(group) = self.group_mut(number) else { return false };
        group.requires_list = Some(Arc::clone(expected));
        let known = group.enforcement.as_ref();
        let falls_short =
            known.is_some_and(|known| !Capability::is_list_enforced(known, &group.plan));
        if falls_short {
            expected.disappoint();
        }
        !falls_short
    }

    /// Whether a new worker enforces less than earlier ones of its plan, or than a judgement relied on.
    pub(crate) fn falls_short(&self, number: u32, found: &Enforcement) -> bool {
        let Some(group) = self.group(number) else { return false };
        if let Some(expected) = &group.requires_list
            && !Capability::is_list_enforced(found, &group.plan)
        {
            expected.disappoint();
            return true;
        }
        group.enforcement.as_ref().is_some_and(|before| {
            (before.namespace && !found.namespace)
                || (before.own_processes && !found.own_processes)
                || (before.loaders_bound && !found.loaders_bound)
                || (before.filtered && !found.filtered)
        })
    }

    /// A worker of this plan is to be made, to see what it enforces.
    pub(crate) fn ask_for(&mut self, number: u32) {
        if let Some(group) = self.group_mut(number) {
            group.asked = 1;
        }
        self.request_workers();
    }

    pub(super) fn group_mut(&mut self, number: u32) -> Option<&mut Group> {
        self.groups.get_mut(number as usize)
    }
}
