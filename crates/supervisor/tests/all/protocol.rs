//! Every message survives its encoding, nothing else is taken for one, and descriptors arrive.

use std::os::fd::AsFd;

use handrail_supervisor::message::{
    Done, Enforcement, FromSupervisor, FromWorker, Holder, HomeFile, Kernel, Kind, Layer,
    LayerRoot, LayerStage, LimitMet, LimitName, Limits, Plan, PlanPlace, PlanReads, PlanRoot,
    Process, Reach, Stage, Start, ToSupervisor, ToWorker, ViewAnswer, ViewRequest,
};
use handrail_supervisor::socket::{self, MAX_MESSAGE_BYTES};
use rustix::net::{RecvFlags, SendFlags};

fn start(arguments: Vec<Vec<u8>>) -> ToWorker {
    ToWorker::Start(Start {
        run: u64::MAX,
        kind: Kind::Session,
        arguments,
        environment: vec![b"A=b".to_vec(), Vec::new()],
        private_home: true,
        home_files: vec![HomeFile { path: b".x".to_vec(), content: vec![0xff; 3] }],
        streams: [Some(1), Some(0), None],
        extra: vec![3, 9],
    })
}

fn to_worker() -> Vec<ToWorker> {
    vec![
        start(vec![b"true".to_vec()]),
        start(vec![b"x".to_vec(), Vec::new(), vec![0xff; 300]]),
        ToWorker::Terminate { run: 7 },
        ToWorker::Kill { run: 8 },
    ]
}

fn from_worker() -> Vec<FromWorker> {
    let process = Process { pid: 12, program: b"sleep".to_vec() };
    let mut all = vec![
        FromWorker::Started { run: 1, pid: -1 },
        FromWorker::Done(Done::default()),
        FromWorker::Ready { run: 4 },
        FromWorker::Done(Done {
            run: 2,
            wait_status: 256,
            user_us: 3,
            system_us: 4,
            max_rss_bytes: 5,
            leftovers: vec![process.clone(), process.clone()],
            survivors: vec![process],
            limit: Some(LimitMet { name: LimitName::CpuMs, value: 300, used: Some(350) }),
            loader: Some(b"/lib/ld.so".to_vec()),
            ready: true,
        }),
    ];
    all.extend((0..).map_while(Stage::from_index).map(|stage| FromWorker::Failed {
        run: 3,
        stage,
        errno: 2,
    }));
    all
}

fn to_supervisor() -> Vec<ToSupervisor> {
    let hello = |killing, confine| ToSupervisor::Hello {
        version: 1,
        state_directory: b"/tmp/x".to_vec(),
        first_worker: 9,
        killing,
        confine,
        kernel: Kernel {
            landlock: 5,
            filters: killing,
            namespaces: confine,
            control_groups: killing,
        },
        layer: killing.then(layer),
    };
    vec![
        hello(true, false),
        hello(false, true),
        ToSupervisor::MoreWorkers { plan: 4, count: 3 },
        ToSupervisor::Plan { number: 4, plan: Plan::unconfined() },
        ToSupervisor::Plan { number: 5, plan: plan() },
        ToSupervisor::Network {
            number: 9,
            listeners: ["127.0.0.1:80", "10.0.0.7:5432", "[::1]:0", "[fd00::7]:65535"]
                .map(|address| address.parse().expect("an address"))
                .into(),
        },
        ToSupervisor::CloseNetwork { number: 9 },
        ToSupervisor::Connect { network: 9, request: u64::MAX, port: 8080 },
        ToSupervisor::Shutdown,
    ]
}

fn layer() -> Layer {
    Layer {
        folder: b"/s/layers/a".to_vec(),
        roots: [None, Some(0)]
            .map(|number| LayerRoot { path: b"/w".to_vec(), device: 1, inode: 2, number })
            .into(),
    }
}

fn plan() -> Plan {
    let root = |path: &[u8], writable| PlanRoot {
        path: path.to_vec(),
        device: 1,
        inode: 2,
        writable,
        has_places: writable,
        shown_as: writable.then(|| b"/shown".to_vec()),
    };
    Plan {
        writes_anywhere: false,
        roots: vec![root(b"/w", true), root(b"/r", false)],
        execute: Some(vec![b"/bin/ls".to_vec()]),
        places: vec![PlanPlace { path: b"/w/bin".to_vec(), device: 1, inode: 3 }],
        build: true,
        build_among_temporary_files: true,
        loaders: vec![b"/lib/ld.so".to_vec()],
        network: Reach::Own(9),
        proxy_port: Some(61080),
        remove: true,
        removable: vec![PlanPlace { path: b"/srv/app/target".to_vec(), device: 1, inode: 5 }],
        truncate: false,
        own_temporary: true,
        reads: PlanReads {
            limited: true,
            lists: 7,
            covered: vec![PlanPlace { path: b"/home/u/.ssh".to_vec(), device: 1, inode: 4 }],
            hidden: vec![PlanPlace { path: b"/run/docker.sock".to_vec(), device: 2, inode: 5 }],
            kept: vec![b"/home/u/.ssh/known_hosts".to_vec()],
            only: Some(vec![b"/usr".to_vec()]),
            is_overfull: true,
        },
        limits: Limits { memory_bytes: Some(1 << 40), open_files: Some(7), ..Limits::default() },
        layer: Some(layer()),
        spill: Some(b"spill-1".to_vec()),
    }
}

fn from_supervisor() -> Vec<FromSupervisor> {
    let enforcement = Enforcement {
        landlock_abi: 7,
        signals: true,
        introspection: false,
        abstract_sockets: true,
        no_new_privileges: false,
        capabilities_bounded: true,
        atomic_kill: true,
        filtered: true,
        namespace: false,
        own_processes: true,
        own_temporary: false,
        own_network: true,
        loaders_bound: true,
        reports_programs: true,
        memory_holder: Holder::GroupV1,
        processes_holder: Holder::GroupV2,
        uid: 65534,
    };
    vec![
        FromSupervisor::Ready { version: 1 },
        FromSupervisor::LayerRoot,
        FromSupervisor::NoLayer { stage: LayerStage::Beneath, errno: 18 },
        FromSupervisor::Worker { worker: 1, plan: 4, enforcement, pid: 2 },
        FromSupervisor::WorkerGone { worker: 1, survivors: Vec::new(), limit: None },
        FromSupervisor::WorkerFailed { plan: 4, errno: 11 },
        FromSupervisor::Listener { network: 9, index: 3, errno: 98 },
        FromSupervisor::Network { number: 9, errno: 1 },
        FromSupervisor::Connected { request: 1 << 60, errno: 111 },
    ]
}

/// The message comes back; every cut of it and every longer form is refused.
macro_rules! round_trip {
    ($name:ident, $type:ty, $messages:expr) => {
        #[test]
        fn $name() {
            for message in $messages {
                let bytes = message.encode();
                assert_eq!(<$type>::decode(&bytes).as_ref(), Some(&message));
                for cut in 0..bytes.len() {
                    assert_eq!(<$type>::decode(&bytes[..cut]), None, "{message:?} cut at {cut}");
                }
                let longer = [bytes.as_slice(), &[0]].concat();
                assert_eq!(<$type>::decode(&longer), None, "{message:?} with a byte more");
            }
            assert_eq!(<$type>::decode(&[200]), None);
        }
    };
}

round_trip!(messages_to_a_worker, ToWorker, to_worker());
round_trip!(messages_from_a_worker, FromWorker, from_worker());
round_trip!(messages_to_the_supervisor, ToSupervisor, to_supervisor());
round_trip!(messages_from_the_supervisor, FromSupervisor, from_supervisor());
round_trip!(
    messages_about_views,
    ViewRequest,
    [ViewRequest { plan: plan(), state: b"/tmp/s".to_vec(), own: b"/tmp/s/worker-1".to_vec() }]
);

round_trip!(
    view_answers_round_trip,
    ViewAnswer,
    [None, Some(plan())].map(|layered| ViewAnswer {
        loaders_bound: true,
        own_memory: false,
        own_temporary: true,
        own_root: false,
        layered,
    })
);

#[test]
fn a_start_without_arguments_is_refused() {
    assert_eq!(ToWorker::decode(&start(Vec::new()).encode()), None);
}

#[test]
fn a_false_count_costs_no_memory() {
    // Four billion arguments announced, none sent.
    let mut bytes = start(vec![b"true".to_vec()]).encode();
    bytes[10..14].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(ToWorker::decode(&bytes), None);
}

#[test]
fn messages_of_any_allowed_size_arrive_with_their_descriptors() {
    let (near, far) = socket::pair().unwrap();
    for size in [0, 1, 48 * 1024, 48 * 1024 + 1, MAX_MESSAGE_BYTES] {
        let message = vec![7; size];
        socket::send(&near, &message, &[near.as_fd()], SendFlags::empty()).unwrap();
        let received = socket::receive(&far, RecvFlags::empty()).unwrap().unwrap();
        assert_eq!(received.message.len(), size);
        assert_eq!(received.descriptors.len(), 1, "{size}");
    }
    let message = vec![7; MAX_MESSAGE_BYTES + 1];
    assert!(socket::send(&near, &message, &[], SendFlags::empty()).is_err());
    drop(near);
    assert!(socket::receive(&far, RecvFlags::empty()).unwrap().is_none());
}

#[test]
fn a_memory_file_is_read_from_its_start_and_cannot_be_changed() {
    let file = socket::memory_file(b"abc").unwrap();
    let mut buffer = [0; 8];
    assert_eq!(rustix::io::read(&file, &mut buffer).unwrap(), 3);
    assert!(rustix::io::pwrite(&file, b"x", 0).is_err());
}
